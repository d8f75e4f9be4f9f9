import { LRUCache } from "lru-cache";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { type NetworkWidth, networkAt } from "./address-ranges";
import { isKnownNetwork, type LoginPlane, rememberNetwork } from "./known-networks";

/** The login whose password is tried, and the address. Unknown logins are treated the same. */
export interface Attempted {
  tenantId: string;
  plane: Exclude<LoginPlane, "second-factor">;
  loginKey: string;
  address: string;
}

/** The counter of failed attempts at one login. */
interface Counter {
  failures: number;
  /** Attempts in progress: each may become a failure. */
  pending: number;
  /** Milliseconds since the epoch until which attempts are rejected. */
  waitUntil: number;
  /** Called when an attempt ends. */
  watchers: Set<() => void>;
}

interface Scope {
  counter: Counter;
  /** The number of free failures; each further one doubles the wait, starting at one second. */
  free: number;
  maxSeconds: number;
  /** Whether other networks count under it too; networks that signed in before are exempt from it. */
  isShared: boolean;
}

const freeFailures = 5;
const maxSeconds = 900;
/** Maximum wait of a login across addresses, so that nobody can lock another user out. */
const maxAcrossSeconds = 10;
const forgetAfterMs = 3_600_000;
const maxCounters = 100_000;
/** How long an attempt waits for the outcome of earlier ones. */
const maxPendingWaitMs = 2000;
/** The Retry-After of an attempt that is rejected because of too many simultaneous ones. */
const retryAfterMs = 1000;

/** The networks that one subscriber may have: a provider may assign an IPv6 customer any of the three. */
const widths: { width: NetworkWidth; free: number; isShared: boolean }[] = [
  { width: "network", free: freeFailures, isShared: false },
  { width: "56", free: 4 * freeFailures, isShared: true },
  { width: "48", free: 16 * freeFailures, isShared: true },
];

const counters = perProcess(
  "login-throttle",
  () =>
    new LRUCache<string, Counter>({
      max: maxCounters,
      ttl: forgetAfterMs,
      updateAgeOnGet: false,
    }),
);

const isOff = () => setting("LOGIN_THROTTLE") === "off";

function counterAt(key: string): Counter {
  const counter = counters().get(key) ?? {
    failures: 0,
    pending: 0,
    waitUntil: 0,
    watchers: new Set(),
  };
  counters().set(key, counter);
  return counter;
}

function scopesOf({ tenantId, plane, loginKey, address }: Attempted): Scope[] {
  const login = `${tenantId} ${plane} ${loginKey}`;
  const ofNetworks = widths.flatMap(({ width, free, isShared }): Scope[] => {
    const network = networkAt(address, width);
    return network === undefined
      ? []
      : [{ counter: counterAt(`${login} ${width} ${network}`), free, maxSeconds, isShared }];
  });
  const across = { free: freeFailures, maxSeconds: maxAcrossSeconds, isShared: true };
  return [...ofNetworks, { counter: counterAt(login), ...across }];
}

function rejection(milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1000);
  const detail = `Too many failed sign-ins. Wait ${seconds} s, then try again.`;
  return new ApiError("auth.too-many-attempts", detail, undefined, {
    headers: { "Retry-After": String(seconds) },
  });
}

const waitOf = ({ counter }: Scope) => counter.waitUntil - Date.now();
const isSpent = ({ counter, free }: Scope) => counter.failures >= free;
/** Whether the attempts in progress could use up the free failures. */
const isCrowded = ({ counter, free }: Scope) =>
  counter.pending > 0 && counter.failures + counter.pending >= free;

/** Resolves when an attempt of one of these scopes ends, or after the timeout. */
function nextOutcome(scopes: Scope[], milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const { counter } of scopes) counter.watchers.delete(done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    for (const { counter } of scopes) counter.watchers.add(done);
  });
}

/**
 * Admits an attempt, and returns the scopes that applied to it. However many arrive at once, no more are checked than there
 * are free failures: the others wait for the outcome. Throws 429 if earlier failures make the login wait.
 */
async function enter(all: Scope[], isKnown: () => Promise<boolean>): Promise<Scope[]> {
  const deadline = performance.now() + maxPendingWaitMs;
  let binding = all;
  for (let isFirst = true; ; isFirst = false) {
    const isHeldUp = (scope: Scope) => waitOf(scope) > 0 || isCrowded(scope);
    if (binding.some((scope) => scope.isShared && isHeldUp(scope)) && (await isKnown()))
      binding = all.filter((scope) => !scope.isShared);
    const wait = Math.max(0, ...binding.map(waitOf));
    if (wait > 0) throw rejection(wait);
    const crowded = binding.filter(isCrowded);
    const spent = isFirst ? [] : binding.filter(isSpent);
    const left = deadline - performance.now();
    if (crowded.length === 0 && spent.length === 0) {
      for (const { counter } of all) counter.pending += 1;
      return binding;
    }
    if (spent.length > 0 || left <= 0) {
      for (const { counter } of [...crowded, ...spent])
        counter.waitUntil = Math.max(counter.waitUntil, Date.now() + retryAfterMs);
      throw rejection(retryAfterMs);
    }
    await nextOutcome(crowded, left);
  }
}

function fail({ counter, free, maxSeconds: max }: Scope): void {
  counter.failures += 1;
  if (counter.failures <= free) return;
  const seconds = Math.min(max, 2 ** Math.min(30, counter.failures - free - 1));
  counter.waitUntil = Math.max(counter.waitUntil, Date.now() + seconds * 1000);
}

/** "unchecked": rejected because of load. It counts for its own network only, so that nobody can make others wait with it. */
type Outcome = "right" | "wrong" | "unchecked" | "unknown";

/** A correct password clears earlier failures, but not those of a shared scope that a known network was exempt from. */
function settle(all: Scope[], asked: Scope[], outcome: Outcome): void {
  for (const scope of all) {
    const { counter } = scope;
    counter.pending -= 1;
    if (outcome === "wrong" || (outcome === "unchecked" && !scope.isShared)) fail(scope);
    if (outcome === "right" && asked.includes(scope)) counter.failures = 0;
    for (const watcher of [...counter.watchers]) watcher();
  }
}

/**
 * Checks a password as one attempt, which is pending during the check and counts as a failure if the password is wrong.
 * From the 6th failure on, a login waits one second, doubling each time. Throws 429.
 * @param isEnough false if a correct password does not complete the sign-in: then the network is not remembered
 */
export async function tryPassword(
  who: Attempted,
  check: () => Promise<boolean>,
  isEnough: () => boolean = () => true,
): Promise<boolean> {
  if (isOff()) return check();
  const scopes = scopesOf(who);
  const asked = await enter(scopes, () => isKnownNetwork(who));
  let outcome: Outcome = "unknown";
  try {
    const isRight = await check();
    outcome = isRight ? "right" : "wrong";
    if (isRight && isEnough()) rememberNetwork(who);
    return isRight;
  } catch (error) {
    if (error instanceof ApiError && error.code === "auth.busy") outcome = "unchecked";
    throw error;
  } finally {
    settle(scopes, asked, outcome);
  }
}
