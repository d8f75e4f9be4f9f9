import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { networkAt } from "./address-ranges";

/** Requests per window; the window is in seconds. */
export const rateLimits = {
  key: { quota: 600, window: 60 },
  session: { quota: 300, window: 60 },
  /** All keys and sessions of one user together: half of the tenant's rate. */
  user: { quota: 3000, window: 60 },
  /** All keys of a tenant together: the rest of its rate is for people. */
  "tenant-keys": { quota: 5400, window: 60 },
  tenant: { quota: 6000, window: 60 },
  /** Requests and verified credentials of one API key, and of all keys of a tenant. */
  verification: { quota: 30_000, window: 60 },
  "tenant-verification": { quota: 120_000, window: 60 },
  metrics: { quota: 120, window: 60 },
  "metrics-batch": { quota: 120, window: 60 },
  "sample-traffic": { quota: 10, window: 3600 },
  /** Requests of one connection: a provider that provisions all its users sends about 25 a second. */
  provisioning: { quota: 1800, window: 60 },
  login: { quota: 100, window: 60 },
  "report-leak": { quota: 10, window: 60 },
  "anonymous-token": { quota: 30, window: 60 },
  "refresh-token": { quota: 120, window: 60 },
  "password-reset": { quota: 30, window: 60 },
  "reset-request": { quota: 10, window: 600 },
  /** Link exchanges from one address, and requests of one share. */
  "preview-share": { quota: 120, window: 60 },
  /** Hand-off links opened from one address. */
  "hand-off": { quota: 30, window: 60 },
  /** Sign-in pages request one each time they are opened. */
  "passkey-options": { quota: 300, window: 60 },
  /** Sign-outs that providers send from one address; and how often unauthenticated callers can make the service fetch a provider's keys. */
  "provider-sign-out": { quota: 300, window: 60 },
  "provider-keys": { quota: 10, window: 60 },
  registration: { quota: 10, window: 60 },
  signup: { quota: 5, window: 3600 },
} as const;

export type LimitName = keyof typeof rateLimits;

const limiters = perProcess(
  "rate-limits",
  (): Partial<Record<LimitName | `${LimitName} of a /48`, RateLimiterMemory>> => ({}),
);

/** The limit of an IPv6 /48 is this many times the limit of one /64. */
const widerBy = 4;

function limiter(name: LimitName, factor = 1): RateLimiterMemory {
  const { quota, window: duration } = rateLimits[name];
  const place = factor === 1 ? name : (`${name} of a /48` as const);
  const found = limiters()[place] ?? new RateLimiterMemory({ points: quota * factor, duration });
  limiters()[place] = found;
  return found;
}

const isOff = () => setting("RATE_LIMITS") === "off";

/** The headers of one limit: `quota` requests in `window` seconds, how many are left, and in how many seconds the window resets. */
export const rateLimitHeaders = (
  name: string,
  { quota, window }: { quota: number; window: number },
  { remaining, seconds }: { remaining: number; seconds: number },
): Record<string, string> => ({
  "RateLimit-Policy": `"${name}";q=${quota};w=${window}`,
  RateLimit: `"${name}";r=${Math.max(0, remaining)};t=${seconds}`,
});

function limitHeaders(name: LimitName, state: RateLimiterRes, factor: number) {
  const { quota, window } = rateLimits[name];
  const left = {
    remaining: state.remainingPoints,
    seconds: Math.ceil(state.msBeforeNext / 1000),
  };
  return rateLimitHeaders(name, { quota: quota * factor, window }, left);
}

/** Does not check the class: all bundles of the process share the limiters, but each bundle has its own class. */
const isExceeded = (state: unknown): state is RateLimiterRes =>
  typeof state === "object" && state !== null && "msBeforeNext" in state;

/** Counts one or more requests against a limit and returns its headers. Throws 429 with Retry-After if none is left. */
export async function countRequest(
  name: LimitName,
  who: string,
  factor = 1,
  count = 1,
): Promise<Record<string, string>> {
  if (isOff()) return {};
  try {
    return limitHeaders(name, await limiter(name, factor).consume(who, count), factor);
  } catch (state) {
    if (!isExceeded(state)) throw state;
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const headers = { ...limitHeaders(name, state, factor), "Retry-After": String(seconds) };
    throw new ApiError("rate-limit.exceeded", `Too many requests. Wait ${seconds} s.`, name, {
      headers,
    });
  }
}

/** IPv4 addresses count individually, IPv6 addresses by their /64, all of which belongs to one subscriber. */
export function addressGroup(address: string): string {
  return address.includes(":") ? (networkAt(address, "network") ?? address) : address;
}

/** As `countRequest`, for an address: for IPv6 the /48 counts too, because one customer of a provider may have 65,536 networks of /64. */
export async function countAddressRequest(
  name: LimitName,
  address: string,
): Promise<Record<string, string>> {
  const headers = await countRequest(name, addressGroup(address));
  const wider = networkAt(address, "48");
  if (wider !== undefined) await countRequest(name, wider, widerBy);
  return headers;
}
