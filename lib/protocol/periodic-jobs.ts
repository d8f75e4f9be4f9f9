import { perProcess } from "./per-process";

interface JobState {
  /** Milliseconds since the epoch; 0 before the first success of this process. */
  succeededAt: number;
  failures: number;
}

const jobs = perProcess("periodic-jobs", () => new Map<string, JobState>());

/** Notes what became of a round of work that this process does again and again. */
export function noteJob(name: string, isDone: boolean): void {
  const state = jobs().get(name) ?? { succeededAt: 0, failures: 0 };
  if (isDone) state.succeededAt = Date.now();
  else state.failures += 1;
  jobs().set(name, state);
}

export const jobStates = (): ReadonlyMap<string, Readonly<JobState>> => jobs();
