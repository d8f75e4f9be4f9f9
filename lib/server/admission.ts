import { createFairQueue, type FairQueue, type Waiting } from "./fair-queue";
import type { Route } from "./routes";

/*
 * Admission control by class of request: each class has its own concurrency limit and its own queue, so that
 * requests which take long (pages, metrics, password hashes) cannot take the place of cheap ones.
 *
 *   arrival --> in flight < limit? --yes--> run --> leave (its latency is noted)
 *                  | no                               |
 *                  v                                  v
 *               queue (fair, bounded) <-- next one -- room
 *                  | older than maxQueueMs, or full
 *                  v
 *               503 with Retry-After
 *
 * The queue serves the networks of the callers in turn (fair-queue.ts), so that one address that sends many requests delays its own.
 *
 * Limits adapt by AIMD (additive increase, multiplicative decrease, as TCP's window does) once per `adjust()`:
 * a class whose mean latency is above its target, or that runs while the event loop is late, gets three quarters
 * of its limit; a class that was full and fast gets a tenth and one more. Floors keep every class
 * alive, ceilings bound memory and the database's queue. Both cost O(1) per request.
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
  floor: number;
  start: number;
  ceiling: number;
  /** A mean latency above it means that the class has too many in flight. */
  targetMs: number;
  /** Its work blocks the event loop for tens of milliseconds at a time. */
  isBlocking?: true;
}

const tunings: Record<Exclude<LoadClass, "health">, Tuning> = {
  management: { floor: 32, start: 128, ceiling: 512, targetMs: 500 },
  consumer: { floor: 32, start: 128, ceiling: 512, targetMs: 500 },
  // The hashes behind it have a queue of their own, of 64 and two seconds.
  "sign-in": { floor: 16, start: 64, ceiling: 128, targetMs: 2000 },
  metrics: { floor: 2, start: 16, ceiling: 32, targetMs: 1500 },
  pages: { floor: 2, start: 8, ceiling: 32, targetMs: 1000, isBlocking: true },
  assets: { floor: 8, start: 64, ceiling: 128, targetMs: 1000 },
};

/** The classes that have a limit. */
export const limitedClasses = Object.keys(tunings) as (keyof typeof tunings)[];

const maxQueueMs = 1000;
const maxQueued = 512;
/** A mean delay of the event loop above which classes that block it give way, and one above which all do. */
const lateLoopMs = { blocking: 30, any: 100 };

interface Queued extends Waiting {
  run: () => void;
  reject: () => void;
}

interface Gate {
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
  /** Calls `run` now or when there is room, or `reject` when there was none for too long. `from`: the network of the caller. */
  enter(name: LoadClass, run: () => void, reject: () => void, from?: string): void;
  /** Gives back the place of one that ran for so long. */
  leave(name: LoadClass, latencyMs: number): void;
  /** Gives the place to others while the request waits for its client. */
  pause(name: LoadClass): void;
  /** Takes a place again, at once: its limit may be exceeded by those that resume. */
  resume(name: LoadClass): void;
  /** Rejects what has waited too long and adapts the limits; `loopDelayMs` is how late the event loop is on average. */
  adjust(loopDelayMs: number): void;
  /** For measurements and tests. */
  state(name: LoadClass): { limit: number; inFlight: number; queued: number };
}

function adapt(gate: Gate, loopDelayMs: number): void {
  const { floor, ceiling, targetMs, isBlocking } = gate.tuning;
  const isSlow = gate.finished > 0 && gate.latencyMs / gate.finished > targetMs;
  const maxDelayMs = isBlocking ? lateLoopMs.blocking : lateLoopMs.any;
  const isLoopLate = gate.finished > 0 && loopDelayMs > maxDelayMs;
  if (isSlow || isLoopLate) gate.limit = Math.max(floor, gate.limit * 0.75);
  else if (gate.wasFull) gate.limit = Math.min(ceiling, gate.limit * 1.1 + 1);
  Object.assign(gate, { wasFull: false, finished: 0, latencyMs: 0 });
}

/** Runs what waits while there is room. */
function drain(gate: Gate, now: number): void {
  while (gate.inFlight < gate.limit) {
    const next = gate.queue.shift();
    if (!next) return;
    if (now - next.since > maxQueueMs) next.reject();
    else {
      gate.inFlight += 1;
      next.run();
    }
  }
}

function expire(gate: Gate, now: number): void {
  for (const { reject } of gate.queue.takeOlderThan(now - maxQueueMs)) reject();
}

function createGates(): Map<LoadClass, Gate> {
  const entries = Object.entries(tunings) as [LoadClass, Tuning][];
  const fresh = { inFlight: 0, wasFull: false, finished: 0, latencyMs: 0 };
  return new Map(
    entries.map(([name, tuning]) => {
      const queue = createFairQueue<Queued>(maxQueued);
      return [name, { ...fresh, tuning, limit: tuning.start, queue }];
    }),
  );
}

/** `now` is monotonic, in milliseconds. */
export function createAdmission(now: () => number = () => performance.now()): Admission {
  const gates = createGates();
  return {
    enter(name, run, reject, from = "") {
      const gate = gates.get(name);
      if (!gate) return run();
      if (gate.inFlight < gate.limit && gate.queue.length === 0) {
        gate.inFlight += 1;
        return run();
      }
      gate.wasFull = true;
      gate.queue.add({ from, since: now(), run, reject })?.reject();
    },
    leave(name, latencyMs) {
      const gate = gates.get(name);
      if (!gate) return;
      gate.inFlight -= 1;
      gate.finished += 1;
      gate.latencyMs += latencyMs;
      if (gate.queue.length > 0) drain(gate, now());
    },
    pause(name) {
      const gate = gates.get(name);
      if (!gate) return;
      gate.inFlight -= 1;
      drain(gate, now());
    },
    resume(name) {
      const gate = gates.get(name);
      if (gate) gate.inFlight += 1;
    },
    adjust(loopDelayMs) {
      for (const gate of gates.values()) {
        expire(gate, now());
        adapt(gate, loopDelayMs);
        drain(gate, now());
      }
    },
    state(name) {
      const { limit = Number.POSITIVE_INFINITY, inFlight = 0, queue } = gates.get(name) ?? {};
      return { limit, inFlight, queued: queue?.length ?? 0 };
    },
  };
}

/** Never rejected for load: whoever restarts or drains what does not answer must not take a busy process for a dead one. */
const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/internal/metrics"]);
/** Operations with these limits hash a password. */
const hashing: ReadonlySet<string | undefined> = new Set([
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
  if (hashing.has(endpoint?.addressLimit)) return "sign-in";
  return endpoint?.plane ?? "management";
}
