import { RateLimiterMemory } from "rate-limiter-flexible";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { networkOf } from "./rate-limits";

const freeFailures = 5;
const longestSeconds = 900;
/** Across addresses a login waits only this long, so that nobody can lock another out. */
const longestAcrossSeconds = 10;
const forgetSeconds = 3600;

interface Limiters {
  failures: RateLimiterMemory;
  waits: RateLimiterMemory;
}

function limiters(): Limiters {
  const shared = globalThis as { gatehouseThrottle?: Limiters };
  shared.gatehouseThrottle ??= {
    failures: new RateLimiterMemory({
      points: 1_000_000,
      duration: forgetSeconds,
      keyPrefix: "failures",
    }),
    waits: new RateLimiterMemory({ points: 1, duration: longestSeconds, keyPrefix: "waits" }),
  };
  return shared.gatehouseThrottle;
}

const isOff = () => setting("LOGIN_THROTTLE") === "off";

/** /24 of an IPv4 address, /64 of an IPv6 address. */
function network(address: string): string {
  return address.includes(":") ? networkOf(address, 4) : address.split(".").slice(0, 3).join(".");
}

interface Scope {
  key: string;
  longest: number;
}

/** Scopes of a login, whether it exists or not. */
function scopes(tenantId: string, loginKey: string, address: string): Scope[] {
  const login = `${tenantId} ${loginKey}`;
  return [
    { key: `${login} ${network(address)}`, longest: longestSeconds },
    { key: login, longest: longestAcrossSeconds },
  ];
}

/** Throws 429 while earlier failures of this login make it wait. */
export async function checkThrottle(
  tenantId: string,
  loginKey: string,
  address: string,
): Promise<void> {
  if (isOff()) return;
  const waits = await Promise.all(
    scopes(tenantId, loginKey, address).map(({ key }) => limiters().waits.get(key)),
  );
  const milliseconds = Math.max(0, ...waits.map((wait) => wait?.msBeforeNext ?? 0));
  if (milliseconds === 0) return;
  const seconds = Math.ceil(milliseconds / 1000);
  const detail = `Too many failed sign-ins. Wait ${seconds} s, then try again.`;
  throw new ApiError("auth.too-many-attempts", detail, undefined, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** From the 6th failure on a login waits 1 s, doubling each time. */
export async function noteFailure(
  tenantId: string,
  loginKey: string,
  address: string,
): Promise<void> {
  if (isOff()) return;
  for (const { key, longest } of scopes(tenantId, loginKey, address)) {
    const { consumedPoints } = await limiters().failures.penalty(key, 1);
    if (consumedPoints <= freeFailures) continue;
    await limiters().waits.block(key, Math.min(longest, 2 ** (consumedPoints - freeFailures - 1)));
  }
}

/** A right password clears what the same network did wrong before. */
export async function clearFailures(
  tenantId: string,
  loginKey: string,
  address: string,
): Promise<void> {
  for (const { key } of scopes(tenantId, loginKey, address)) await limiters().failures.delete(key);
}
