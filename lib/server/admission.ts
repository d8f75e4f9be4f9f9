import { createFairQueue, type FairQueue, type Waiting } from "./fair-queue";
import type { Route } from "./routes";

/*
 * Admission control by class of request: each class has its own concurrency limit and its own queue, so that
 * requests which take long (pages, metrics, password hashes) cannot take the place of cheap ones.
 *
 *   arrival --> in flight < limit? --yes--> run --> release (its latency is noted)
 *                  | no                               |
 *                  v                                  v
 *               queue (fair, bounded) <-- next one -- room
 *                  | older than maxQueueMs, or full
 *                  v
 *               503 with Retry-After
 *
 * Dequeues round-robin by client network (fair-queue.ts), so that a flooding address delays only its own requests.
 *
 * Limits adapt by AIMD (additive increase, multiplicative decrease, as TCP's window does) once per `adjust()`:
 * a class whose mean latency is above its target, or that runs while the event loop is late: limit x 0.75;
 * a class that was full and fast: limit x 1.1 + 1. A minimum keeps every class alive, a maximum bounds memory and
 * the database's queue. O(1) per request.
 */

export type LoadClass =
  | "health"
  | "management"
  | "consumer"
  | "sign-in"
  | "metrics"
  | "pages"
  | "assets";

interface Tuning {
  minLimit: number;
  initialLimit: number;
  maxLimit: number;
  /** A mean latency above it means that the class has too many in flight. */
  targetMs: number;
  /** Its work blocks the event loop for tens of milliseconds at a time. */
  isBlocking?: true;
}

const tunings: Record<Exclude<LoadClass, "health">, Tuning> = {
  management: { minLimit: 32, initialLimit: 128, maxLimit: 512, targetMs: 500 },
  consumer: { minLimit: 32, initialLimit: 128, maxLimit: 512, targetMs: 500 },
  // Password hashing has its own queue behind it (64 entries, 2 s).
  "sign-in": { minLimit: 16, initialLimit: 64, maxLimit: 128, targetMs: 2000 },
  metrics: { minLimit: 2, initialLimit: 16, maxLimit: 32, targetMs: 1500 },
  pages: { minLimit: 2, initialLimit: 8, maxLimit: 32, targetMs: 1000, isBlocking: true },
  assets: { minLimit: 8, initialLimit: 64, maxLimit: 128, targetMs: 1000 },
};

/** The classes that have a limit. */
export const limitedClasses = Object.keys(tunings) as (keyof typeof tunings)[];

const maxQueueMs = 1000;
const maxQueued = 512;
/** Mean event-loop delay above which limits shrink: of the classes that block it, and of all. */
const maxLoopDelayMs = { blocking: 30, all: 100 };

interface Queued extends Waiting {
  run: () => void;
  reject: () => void;
}

interface ClassLimiter {
  tuning: Tuning;
  limit: number;
  inFlight: number;
  queue: FairQueue<Queued>;
  /** Since the last adjustment. */
  wasFull: boolean;
  finished: number;
  latencyMs: number;
}

export interface Admission {
  /** Calls `run` now or once a slot is free, or `reject` when none was for too long. `from`: the network of the caller. */
  admit(name: LoadClass, run: () => void, reject: () => void, from?: string): void;
  /** Releases the slot; `latencyMs` is how long the request ran. */
  release(name: LoadClass, latencyMs: number): void;
  /** Releases the slot while the request waits for its client. */
  pause(name: LoadClass): void;
  /** Reacquires a slot immediately, even above the limit. */
  resume(name: LoadClass): void;
  /** Rejects what has waited too long and adapts the limits; `loopDelayMs` is how late the event loop is on average. */
  adjust(loopDelayMs: number): void;
  /** For measurements and tests. */
  state(name: LoadClass): { limit: number; inFlight: number; queued: number };
}

function adapt(limiter: ClassLimiter, loopDelayMs: number): void {
  const { minLimit, maxLimit, targetMs, isBlocking } = limiter.tuning;
  const isSlow = limiter.finished > 0 && limiter.latencyMs / limiter.finished > targetMs;
  const maxDelayMs = isBlocking ? maxLoopDelayMs.blocking : maxLoopDelayMs.all;
  const isLoopLate = limiter.finished > 0 && loopDelayMs > maxDelayMs;
  if (isSlow || isLoopLate) limiter.limit = Math.max(minLimit, limiter.limit * 0.75);
  else if (limiter.wasFull) limiter.limit = Math.min(maxLimit, limiter.limit * 1.1 + 1);
  Object.assign(limiter, { wasFull: false, finished: 0, latencyMs: 0 });
}

/** Runs queued requests while slots are free. */
function drain(limiter: ClassLimiter, now: number): void {
  while (limiter.inFlight < limiter.limit) {
    const next = limiter.queue.shift();
    if (!next) return;
    if (now - next.since > maxQueueMs) next.reject();
    else {
      limiter.inFlight += 1;
      next.run();
    }
  }
}

function expire(limiter: ClassLimiter, now: number): void {
  for (const { reject } of limiter.queue.takeOlderThan(now - maxQueueMs)) reject();
}

function createClassLimiters(): Map<LoadClass, ClassLimiter> {
  const entries = Object.entries(tunings) as [LoadClass, Tuning][];
  const fresh = { inFlight: 0, wasFull: false, finished: 0, latencyMs: 0 };
  return new Map(
    entries.map(([name, tuning]) => {
      const queue = createFairQueue<Queued>(maxQueued);
      return [name, { ...fresh, tuning, limit: tuning.initialLimit, queue }];
    }),
  );
}

/** `now` is monotonic, in milliseconds. */
export function createAdmission(now: () => number = () => performance.now()): Admission {
  const limiters = createClassLimiters();
  return {
    admit(name, run, reject, from = "") {
      const limiter = limiters.get(name);
      if (!limiter) return run();
      if (limiter.inFlight < limiter.limit && limiter.queue.length === 0) {
        limiter.inFlight += 1;
        return run();
      }
      limiter.wasFull = true;
      const evicted = limiter.queue.add({ from, since: now(), run, reject });
      evicted?.reject();
    },
    release(name, latencyMs) {
      const limiter = limiters.get(name);
      if (!limiter) return;
      limiter.inFlight -= 1;
      limiter.finished += 1;
      limiter.latencyMs += latencyMs;
      if (limiter.queue.length > 0) drain(limiter, now());
    },
    pause(name) {
      const limiter = limiters.get(name);
      if (!limiter) return;
      limiter.inFlight -= 1;
      drain(limiter, now());
    },
    resume(name) {
      const limiter = limiters.get(name);
      if (limiter) limiter.inFlight += 1;
    },
    adjust(loopDelayMs) {
      for (const limiter of limiters.values()) {
        expire(limiter, now());
        adapt(limiter, loopDelayMs);
        drain(limiter, now());
      }
    },
    state(name) {
      const { limit = Number.POSITIVE_INFINITY, inFlight = 0, queue } = limiters.get(name) ?? {};
      return { limit, inFlight, queued: queue?.length ?? 0 };
    },
  };
}

/** Never rejected for load: an orchestrator must not take a busy process for a dead one. */
const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/internal/metrics"]);
/** Operations with these limits hash a password. */
const passwordHashingLimits: ReadonlySet<string | undefined> = new Set([
  "login",
  "registration",
  "signup",
  "password-reset",
]);

export const isHealthPath = (path: string): boolean => healthPaths.has(path);

/** The class of a request to the interface. */
export function classOf({ template, handlers }: Route, method: string): LoadClass {
  if (isHealthPath(template)) return "health";
  if (template.startsWith("/v1/api-metrics/")) return "metrics";
  const endpoint = (handlers as Partial<Record<string, Route["handlers"]["GET"]>>)[method]
    ?.endpoint;
  if (passwordHashingLimits.has(endpoint?.addressLimit)) return "sign-in";
  return endpoint?.plane ?? "management";
}
