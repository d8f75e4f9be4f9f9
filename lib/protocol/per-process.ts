/**
 * Next loads a module once for each bundle, so a module's variables may exist several times in one process. What must
 * exist once (caches, queues, timers) is kept in one register on globalThis:
 *
 *     const counters = perProcess("example-counters", () => new LRUCache({ max: 100_000 }));
 *     counters().get(login);
 *
 * Names are unique in the product, which a test checks. Tests clear values with `resetPerProcess`.
 */
type Values = Map<string, object>;

const place = Symbol.for("gatehouse.per-process");

function values(): Values {
  const holder = globalThis as { [place]?: Values };
  holder[place] ??= new Map();
  return holder[place];
}

/** Returns a function that returns the process's only value of this name, created by the first call. */
export function perProcess<Value extends object>(name: string, create: () => Value): () => Value {
  return () => {
    const known = values().get(name);
    if (known !== undefined) return known as Value;
    const created = create();
    values().set(name, created);
    return created;
  };
}

/** For tests: the values of these names are created again on next use, as in a process that has just started. */
export function resetPerProcess(...names: string[]): void {
  for (const name of names) values().delete(name);
}

interface JobState {
  /** Milliseconds since the epoch; 0 before the first success of this process. */
  succeededAt: number;
  failures: number;
}

const jobs = perProcess("periodic-jobs", () => new Map<string, JobState>());

/** Records the result of a recurring task of this process. */
export function noteJob(name: string, isDone: boolean): void {
  const state = jobs().get(name) ?? { succeededAt: 0, failures: 0 };
  if (isDone) state.succeededAt = Date.now();
  else state.failures += 1;
  jobs().set(name, state);
}

/** Work that may delay requests, and its duration: work that blocks the event loop, or store work that requests wait for. */
export type MeasuredWork =
  | "responses"
  | "metrics-spooling"
  | "metrics-sending"
  | "metrics-packing"
  | "checkpoint-write"
  | "checkpoint-sync";

type WorkListener = (work: MeasuredWork, milliseconds: number) => void;

const workListener = perProcess("measured-work", (): { report?: WorkListener } => ({}));

/** Reports to the measurement, which is undefined before the process listens. */
export function noteWork(work: MeasuredWork, milliseconds: number): void {
  workListener().report?.(work, milliseconds);
}

export function onWork(report: WorkListener): void {
  workListener().report = report;
}

export const jobStates = (): ReadonlyMap<string, Readonly<JobState>> => jobs();
