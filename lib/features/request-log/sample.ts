import type { CompletedRequest } from "@/lib/http/request-context";
import { perProcess } from "@/lib/protocol/per-process";

/** Of one minute; further combinations are not sampled until the next. */
const maxCombinations = 20_000;
const minuteMilliseconds = 60_000;

/** An operation and status that was sampled. Of one route there are few: looking through them is cheaper than a Map. */
interface Sampled {
  method: string;
  status: number;
  next: Sampled | undefined;
}

interface State {
  minute: number;
  combinations: number;
  /** By credential, then by the route's path. */
  byCredential: Map<string, Map<string, Sampled>>;
}

const newState = (minute: number): State => ({ minute, combinations: 0, byCredential: new Map() });

const state = perProcess("request-log-sample", () => ({ current: newState(0) }));

type Combination = Pick<CompletedRequest, "method" | "status"> & {
  credentialId: string;
  template: string;
};

function stateAt(now: number): State {
  const held = state();
  const minute = Math.floor(now / minuteMilliseconds);
  if (held.current.minute !== minute) held.current = newState(minute);
  return held.current;
}

/** Whether a success of this credential, operation and status was sampled in this minute. Creates nothing: each request asks. */
export function isSampled(
  { credentialId, template, method, status }: Combination,
  now: number,
): boolean {
  const { byCredential, combinations } = stateAt(now);
  let sampled = byCredential.get(credentialId)?.get(template);
  while (sampled && (sampled.status !== status || sampled.method !== method))
    sampled = sampled.next;
  return sampled !== undefined || combinations >= maxCombinations;
}

/** Remembers until the end of the minute that one was sampled. */
export function markSampled(
  { credentialId, template, method, status }: Combination,
  now: number,
): void {
  const current = stateAt(now);
  const templates = current.byCredential.get(credentialId) ?? new Map<string, Sampled>();
  current.byCredential.set(credentialId, templates);
  templates.set(template, { method, status, next: templates.get(template) });
  current.combinations += 1;
}
