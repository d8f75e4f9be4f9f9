import { noteCheckpoints } from "@/lib/database/checkpoints";
import { clockSkewMs, storeNow } from "@/lib/database/clock";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/request-context";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { noteJob, noteWork, perProcess } from "@/lib/protocol/per-process";
import { domainOf } from "./call-labels";
import { compactAll } from "./compaction";
import { Flush, replay } from "./flush";
import { minuteMs } from "./grains";
import { dropOldPartitions, preparePartitions } from "./partitions";
import { type Call, drain, newRecorder, type Recorder, record, takeUnattributed } from "./recorder";
import { abandonedSpools, closeSpool, newSpoolName, renewLease } from "./spool";

interface Recording {
  recorder: Recorder;
  flush: Flush;
  name: string;
  /** Start time of the counts that are not in the spool yet. */
  since: number;
  ticks: number;
  timer: NodeJS.Timeout | undefined;
  ticking: Promise<void>;
  /** Running jobs by name: each runs once at a time, and no tick waits for one. */
  jobs: Map<Job, Promise<void>>;
  isStopped: boolean;
}

const state = perProcess("metrics-recording", (): { recording?: Recording } => ({}));

/** Divides a minute, and is below the one second that a kill may cost, so that a timer may be late. */
const tickMs = 600;
/** Histograms are drained every few ticks, and at the end of each minute. */
const latencyTicks = 15;
const adoptTicks = 50;
const packTicks = 100;

/** Sends the spools of ended processes, concurrently with this process's batches. */
async function sendAbandoned(recording: Recording): Promise<void> {
  for (const name of await abandonedSpools()) {
    if (recording.isStopped) return;
    await replay(name).catch((error: unknown) =>
      log().warn({ err: error }, "API metrics: counts of an ended process wait for the store"),
    );
  }
}

type Job = "sending" | "adopting" | "maintaining" | "packing";

/** Starts a job unless it is running. */
function start(recording: Recording, name: Job, work: () => Promise<unknown>): void {
  if (recording.jobs.has(name)) return;
  const startedAt = performance.now();
  const job = work()
    .then(() => noteJob(`metrics-${name}`, true))
    .catch((error: unknown) => {
      noteJob(`metrics-${name}`, false);
      log().warn({ err: error, job: name }, "API metrics: a job failed and is tried again");
    })
    .finally(() => {
      recording.jobs.delete(name);
      if (name === "sending" || name === "packing")
        noteWork(`metrics-${name}`, performance.now() - startedAt);
    });
  recording.jobs.set(name, job);
}

/** Moves the counts into the spool; the calls of a tick belong to the minute in which it started. */
function spool(recording: Recording, withLatency: boolean): void {
  const startedAt = performance.now();
  const { since } = recording;
  const batch = drain(recording.recorder, withLatency);
  recording.since = storeNow();
  const unattributed = takeUnattributed(recording.recorder);
  if (unattributed > 0)
    log().warn(
      { calls: unattributed },
      "API metrics: unattributed calls: too many unknown tenants",
    );
  recording.flush.put(batch, since);
  noteWork("metrics-spooling", performance.now() - startedAt);
}

async function maintain(): Promise<void> {
  await clockSkewMs();
  await preparePartitions();
  await noteCheckpoints();
}

/** Spools the counts, and starts all jobs that use the database: the next tick does not wait for them. */
async function tick(recording: Recording): Promise<void> {
  recording.ticks += 1;
  const isMinuteEnd = Math.floor(recording.since / minuteMs) !== Math.floor(storeNow() / minuteMs);
  spool(recording, isMinuteEnd || recording.ticks % latencyTicks === 0);
  await renewLease(recording.name);
  start(recording, "sending", () => recording.flush.drain());
  if (recording.ticks % adoptTicks === 1) {
    start(recording, "adopting", () => sendAbandoned(recording));
    start(recording, "maintaining", maintain);
  }
  if (recording.ticks % packTicks === 0)
    start(recording, "packing", () => Promise.all([compactAll(), dropOldPartitions()]));
}

function schedule(recording: Recording): void {
  if (recording.isStopped) return;
  recording.timer = setTimeout(
    () => {
      recording.ticking = tick(recording)
        .catch((error: unknown) => log().warn({ err: error }, "API metrics: a tick failed"))
        .finally(() => schedule(recording));
    },
    tickMs - (Date.now() % tickMs),
  ).unref();
}

/** Starts counting responses, once per process, and takes over the spools of killed processes. */
export function startRecording(): void {
  if (state().recording) return;
  const name = newSpoolName();
  const recording: Recording = {
    recorder: newRecorder(),
    flush: new Flush(name),
    name,
    since: storeNow(),
    ticks: 0,
    timer: undefined,
    ticking: Promise.resolve(),
    jobs: new Map(),
    isStopped: false,
  };
  state().recording = recording;
  reportPendingSince(() => recording.flush.pendingSince() ?? recording.since);
  onCompletedRequest((completed) => {
    const call = callOf(completed);
    if (call) record(recording.recorder, call);
  });
  schedule(recording);
}

/** Writes everything counted so far. Batches that the database does not accept now remain in the spool for the next start. */
export async function stopRecording(): Promise<void> {
  const { recording } = state();
  if (!recording) return;
  recording.isStopped = true;
  clearTimeout(recording.timer);
  await recording.ticking;
  // Any process can continue packing and adoption: this only waits for sending this process's batches.
  await recording.jobs.get("sending");
  spool(recording, true);
  if (await recording.flush.drain()) await closeSpool(recording.name);
}

/** Counts that are not in the database yet, and since when (milliseconds since the epoch). */
export function spoolState(): { batches: number; bytes: number; since: number | undefined } {
  const flush = state().recording?.flush;
  return { batches: 0, bytes: 0, ...flush?.waiting(), since: flush?.pendingSince() };
}

/** Calls that were counted but could not be stored. */
export const droppedCalls = (): number => state().recording?.flush.dropped() ?? 0;

/** First segments that determine the domain of paths without an operation. */
const ownDomains: ReadonlySet<string> = new Set([
  "user",
  "customer",
  "pim",
  "api-metrics",
  "tenant",
  "audit",
  "access",
  "events",
  "requests",
]);
const unknownTemplates: ReadonlySet<string> = new Set(["/v1/{path}", "/pim/{path}"]);
const unknownEndpoint = "*";

interface NamedTemplate {
  domain: string;
  /** "METHOD /template" by method. */
  names: Map<string, string>;
}

const templates = perProcess("metrics-call-names", () => new Map<string, NamedTemplate>());

/** Created once per template, so that the path of a call joins no strings. */
function templateOf(template: string): NamedTemplate {
  const found = templates().get(template) ?? { domain: domainOf(template), names: new Map() };
  if (!templates().has(template)) templates().set(template, found);
  return found;
}

function nameOf({ names }: NamedTemplate, method: string, template: string): string {
  const found = names.get(method);
  if (found !== undefined) return found;
  const created = `${method} ${template}`;
  if (names.size < 100) names.set(method, created);
  return created;
}

function slugOf(request: Request, name: string): string {
  const value = request.headers.get(name)?.trim() ?? "";
  return value !== "" && isSlug(value) ? value : "";
}

function domainOfRequest(request: Request): string {
  const domain = domainOf(new URL(request.url).pathname);
  return ownDomains.has(domain) ? domain : "";
}

/** The call of a completed request. Undefined for requests without a tenant, and for documents. */
export function callOf({
  request,
  context,
  method,
  template,
  status,
  durationMs: ms,
}: CompletedRequest): Call | undefined {
  const tenantId = slugOf(request, "x-service-tenant");
  if (tenantId === "") return undefined;
  const isKnown = template !== undefined && !unknownTemplates.has(template);
  if (isKnown && !template.startsWith("/v1/") && !template.startsWith("/pim/")) return undefined;
  const named = isKnown ? templateOf(template) : undefined;
  const domain = named ? named.domain : domainOfRequest(request);
  const endpoint =
    named && template !== undefined ? nameOf(named, method, template) : unknownEndpoint;
  return {
    tenantId,
    siteId: slugOf(request, "x-service-site"),
    domain,
    endpoint,
    method,
    status,
    caller: context.caller,
    ms,
  };
}

type PendingSince = () => number | undefined;

const freshness = perProcess("metrics-freshness", (): { pendingSince?: PendingSince } => ({}));

/** Sets the function that returns the start time of the recorder's oldest unsaved counts, in milliseconds since the epoch. */
export function reportPendingSince(pendingSince: PendingSince): void {
  freshness().pendingSince = pendingSince;
}

/** Everything that this process counted before this instant is in the database. */
export const completeUntil = (): number => freshness().pendingSince?.() ?? Date.now();
