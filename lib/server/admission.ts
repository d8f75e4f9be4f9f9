import {
  createFairQueue,
  createTurnShare,
  type FairQueue,
  type TurnShare,
  type Waiting,
} from "./fair-queue";
import { type Limits, limits } from "./limits";
import type { Route } from "./routes";

/*
 * Admission control by class of request: each class has its own concurrency limit and its own queue, so that
 * requests which take long (pages, metrics, password hashes) cannot use the places of cheap ones.
 *
 *   arrival --> in flight < limit, and this turn of the event loop has time? --yes--> run --> release (its latency is noted)
 *                  | no                               |
 *                  v                                  v
 *               queue (fair, bounded) <-- next one -- room, or the next turn
 *                  | too old, or full
 *                  v
 *               503 with Retry-After
 *
 * Dequeues round-robin by client network (fair-queue.ts), so that a flooding address delays only its own requests.
 *
 * Limits adapt by AIMD (additive increase, multiplicative decrease, as TCP's window does) once per `adjust()`:
 * if most requests of a class take longer than its target, or the event loop is later than the class allows: limit x 0.75; the same for a costly
 * class that is full and has finished nothing for its target time. Not for other classes: requests waiting for a lock do not slow the rest.
 * A class that was full and fast: limit x 1.1 + 1. A minimum keeps every class alive, a maximum bounds memory and the database's queue.
 */

export type LoadClass =
  | "health"
  | "management"
  | "consumer"
  | "sign-in"
  | "consumer-sign-in"
  | "metrics"
  | "pages"
  | "assets";

interface Tuning {
  minLimit: number;
  initialLimit: number;
  maxLimit: number;
  /** If most requests take longer, the class has too many in flight. A few that wait for a lock do not count. */
  targetMs: number;
  /** Whether each request uses a CPU for a long time, here or in the store. */
  isCostly?: true;
  /** Mean delay of the event loop above which the limit shrinks. */
  maxLoopDelayMs: number;
  /** How long a request waits for a slot, by default `queueMs` of the limits. */
  maxQueueMs?: number;
}

/** While the event loop is late, fewer of them at a time take no longer, and its turns get shorter for all others. */
const cheap = { targetMs: 500, maxLoopDelayMs: 15 };
/** Twenty simultaneous sign-ins are not an overload, nor are eight metrics queries. */
const costly = { targetMs: 800, maxLoopDelayMs: 15, isCostly: true } as const;
/** One person's page with all its files at once is not an overload either. */
const shown = { targetMs: 800, maxLoopDelayMs: 30 };
/** All pages in progress continue in the same turn, each for milliseconds: fewer at a time give the same throughput, and wait longer. */
const rendered = { targetMs: 800, maxLoopDelayMs: 9, maxQueueMs: 2000, isCostly: true } as const;

const tunings: Record<Exclude<LoadClass, "health">, Tuning> = {
  management: { minLimit: 32, initialLimit: 128, maxLimit: 512, ...cheap },
  consumer: { minLimit: 32, initialLimit: 128, maxLimit: 512, ...cheap },
  // Few passwords are hashed at a time: more requests would wait longer in the hashing queue. Shoppers have a separate class from
  // administrators, and a burst waits here, where the wait has a timeout.
  "sign-in": { minLimit: 4, initialLimit: 8, maxLimit: 64, ...costly },
  "consumer-sign-in": { minLimit: 2, initialLimit: 4, maxLimit: 64, ...costly },
  metrics: { minLimit: 2, initialLimit: 4, maxLimit: 32, ...costly },
  pages: { minLimit: 4, initialLimit: 8, maxLimit: 32, ...rendered },
  assets: { minLimit: 8, initialLimit: 64, maxLimit: 128, ...shown },
};

/** The classes that have a limit. */
export const limitedClasses = Object.keys(tunings) as (keyof typeof tunings)[];

const maxQueued = 1024;

interface Queued extends Waiting {
  run: () => void;
  reject: () => void;
}

interface ClassLimiter {
  tuning: Tuning & { maxQueueMs: number };
  limit: number;
  inFlight: number;
  queue: FairQueue<Queued>;
  /** When it last finished a request, or was idle. */
  progressAt: number;
  /** Since the last adjustment. */
  wasFull: boolean;
  finished: number;
  slow: number;
}

export interface Admission {
  /** Calls `run` now or once a slot is free, or `reject` if none was free in time. `from`: the network of the caller. */
  admit(name: LoadClass, run: () => void, reject: () => void, from?: string): void;
  /** Releases the slot; `latencyMs` is how long the request ran. */
  release(name: LoadClass, latencyMs: number): void;
  /** Releases the slot while the request waits for its client. */
  pause(name: LoadClass): void;
  /** Reacquires a slot immediately, even above the limit. */
  resume(name: LoadClass): void;
  /** Rejects requests that have waited too long and adapts the limits; `loopDelayMs` is the mean delay of the event loop. */
  adjust(loopDelayMs: number): void;
  /** For measurements and tests. */
  state(name: LoadClass): { limit: number; inFlight: number; queued: number };
}

function adapt(limiter: ClassLimiter, loopDelayMs: number, now: number): void {
  const { minLimit, maxLimit, targetMs, isCostly, maxLoopDelayMs } = limiter.tuning;
  const isFull = limiter.inFlight >= limiter.limit;
  const isStuck = isCostly && isFull && now - limiter.progressAt > targetMs;
  const isSlow = isStuck || limiter.slow > limiter.finished / 2;
  const isLoopLate = limiter.finished > 0 && loopDelayMs > maxLoopDelayMs;
  if (isSlow || isLoopLate) limiter.limit = Math.max(minLimit, limiter.limit * 0.75);
  else if (limiter.wasFull) limiter.limit = Math.min(maxLimit, limiter.limit * 1.1 + 1);
  Object.assign(limiter, { wasFull: false, finished: 0, slow: 0 });
}

/** Runs queued requests while slots are free and the turn has time. */
function drain(limiter: ClassLimiter, turn: TurnShare, now: number): void {
  while (limiter.inFlight < limiter.limit && limiter.queue.length > 0 && turn.take()) {
    const next = limiter.queue.shift();
    if (!next) return;
    if (now - next.since > limiter.tuning.maxQueueMs) next.reject();
    else {
      limiter.inFlight += 1;
      next.run();
    }
  }
}

function finish(limiter: ClassLimiter, latencyMs: number, now: number): void {
  limiter.inFlight -= 1;
  limiter.finished += 1;
  if (latencyMs > limiter.tuning.targetMs) limiter.slow += 1;
  limiter.progressAt = now;
}

function expire(limiter: ClassLimiter, now: number): void {
  for (const { reject } of limiter.queue.takeOlderThan(now - limiter.tuning.maxQueueMs)) reject();
}

function createClassLimiters(now: number, maxQueueMs: number): Map<LoadClass, ClassLimiter> {
  const entries = Object.entries(tunings) as [LoadClass, Tuning][];
  const fresh = { inFlight: 0, progressAt: now, wasFull: false, finished: 0, slow: 0 };
  return new Map(
    entries.map(([name, tuning]) => {
      const queue = createFairQueue<Queued>(maxQueued);
      const own = { maxQueueMs, ...tuning };
      return [name, { ...fresh, tuning: own, limit: tuning.initialLimit, queue }];
    }),
  );
}

type ShareTurns = (onNextTurn: () => void, now: () => number) => TurnShare;

/** Runs in each turn of the event loop the requests that the previous one had no time for. */
function drainInTurns(
  limiters: ClassLimiter[],
  now: () => number,
  shareTurns: ShareTurns,
): TurnShare {
  const turn = shareTurns(() => {
    // Starts with another class each time, so that no class uses all of every turn.
    limiters.push(...limiters.splice(0, 1));
    for (const limiter of limiters) drain(limiter, turn, now());
  }, now);
  return turn;
}

/** `now` is monotonic, in milliseconds. */
export function createAdmission(
  now: () => number = () => performance.now(),
  shareTurns: ShareTurns = createTurnShare,
  { queueMs }: Pick<Limits, "queueMs"> = limits,
): Admission {
  const limiters = createClassLimiters(now(), queueMs);
  const turn = drainInTurns([...limiters.values()], now, shareTurns);
  return {
    admit(name, run, reject, from = "") {
      const limiter = limiters.get(name);
      if (!limiter) return run();
      const hasRoom = limiter.inFlight < limiter.limit;
      if (hasRoom && limiter.queue.length === 0 && turn.take()) {
        if (limiter.inFlight === 0) limiter.progressAt = now();
        limiter.inFlight += 1;
        return run();
      }
      if (!hasRoom) limiter.wasFull = true;
      const evicted = limiter.queue.add({ from, since: now(), run, reject });
      evicted?.reject();
    },
    release(name, latencyMs) {
      const limiter = limiters.get(name);
      if (!limiter) return;
      finish(limiter, latencyMs, now());
      drain(limiter, turn, now());
    },
    pause(name) {
      const limiter = limiters.get(name);
      if (!limiter) return;
      limiter.inFlight -= 1;
      drain(limiter, turn, now());
    },
    resume(name) {
      const limiter = limiters.get(name);
      if (limiter) limiter.inFlight += 1;
    },
    adjust(loopDelayMs) {
      for (const limiter of limiters.values()) {
        expire(limiter, now());
        adapt(limiter, loopDelayMs, now());
        drain(limiter, turn, now());
      }
    },
    state(name) {
      const { limit = Number.POSITIVE_INFINITY, inFlight = 0, queue } = limiters.get(name) ?? {};
      return { limit, inFlight, queued: queue?.length ?? 0 };
    },
  };
}

/** Never rejected because of load: an orchestrator must not mistake a busy process for a dead one. */
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
  if (passwordHashingLimits.has(endpoint?.limits.address))
    return endpoint?.plane === "consumer" ? "consumer-sign-in" : "sign-in";
  return endpoint?.plane ?? "management";
}
