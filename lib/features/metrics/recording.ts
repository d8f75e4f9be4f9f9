import { clockSkewMs, storeNow } from "@/lib/database/clock";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/completed-request";
import { isSlug } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { compactAll } from "./compaction";
import { domainOf } from "./dimensions";
import { type Flush, openFlush, replay } from "./flush";
import { minuteMs } from "./grains";
import { dropOldPartitions, preparePartitions } from "./partitions";
import { newRecorder, type Recorder, record, swap, takeUnattributed } from "./recorder";
import { abandonedSpools, closeSpool, newSpoolName, renewLease } from "./spool";

interface Recording {
  recorder: Recorder;
  flush: Flush;
  name: string;
  /** When the counts that are not yet in the spool began. */
  since: number;
  ticks: number;
  timer: NodeJS.Timeout | undefined;
  ticking: Promise<void>;
  /** What goes on beside the ticks, each once at a time. */
  jobs: Map<string, Promise<void>>;
  isStopped: boolean;
}

declare global {
  var gatehouseRecording: Recording | undefined;
}

/** Divides a minute, and leaves a timer that is late some of the second that a kill may cost. */
const tickMs = 600;
/** Histograms follow every so many ticks, and at the end of each minute. */
const latencyTicks = 15;
const adoptTicks = 50;
const packTicks = 100;

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
const unknown = "*";

interface Place {
  domain: string;
  /** "METHOD /template" by method. */
  names: Map<string, string>;
}

const places = new Map<string, Place>();

/** Made once per template, so that the path of a call joins no strings. */
function placeOf(template: string): Place {
  const found = places.get(template) ?? { domain: domainOf(template), names: new Map() };
  if (!places.has(template)) places.set(template, found);
  return found;
}

function nameOf({ names }: Place, method: string, template: string): string {
  const found = names.get(method);
  if (found !== undefined) return found;
  const made = `${method} ${template}`;
  if (names.size < 100) names.set(method, made);
  return made;
}

function slugOf(request: Request, name: string): string {
  const given = request.headers.get(name)?.trim() ?? "";
  return given !== "" && isSlug(given) ? given : "";
}

function domainOfRequest(request: Request): string {
  const domain = domainOf(new URL(request.url).pathname);
  return ownDomains.has(domain) ? domain : "";
}

/** Counts one answered request, if it named a tenant. Documents without a tenant are no calls of the interface. */
function count(
  recorder: Recorder,
  { request, context, method, template, status, durationMs: ms }: CompletedRequest,
): void {
  const tenantId = slugOf(request, "x-service-tenant");
  if (tenantId === "") return;
  const isKnown = template !== undefined && !unknownTemplates.has(template);
  if (isKnown && !template.startsWith("/v1/") && !template.startsWith("/pim/")) return;
  const place = isKnown ? placeOf(template) : undefined;
  const domain = place ? place.domain : domainOfRequest(request);
  const endpoint = place && template !== undefined ? nameOf(place, method, template) : unknown;
  record(recorder, {
    tenantId,
    siteId: slugOf(request, "x-service-site"),
    domain,
    endpoint,
    method,
    status,
    caller: context.caller,
    ms,
  });
}

/** Sends what ended processes left. Beside our own sending: neither waits for the other. */
async function adopt(recording: Recording): Promise<void> {
  for (const name of await abandonedSpools()) {
    if (recording.isStopped) return;
    await replay(name).catch((error: unknown) =>
      log().warn({ err: error }, "API metrics: counts of an ended process wait for the store"),
    );
  }
}

/** Starts a job unless it is running. */
function start(recording: Recording, name: string, work: () => Promise<unknown>): void {
  if (recording.jobs.has(name)) return;
  const job = work()
    .then(() => undefined)
    .catch((error: unknown) =>
      log().warn({ err: error, job: name }, "API metrics: a job failed and is tried again"),
    )
    .finally(() => recording.jobs.delete(name));
  recording.jobs.set(name, job);
}

/** Takes the counts out and into the spool; the calls of a second belong to the minute in which it began. */
function spool(recording: Recording, withLatency: boolean): void {
  const { since } = recording;
  const batch = swap(recording.recorder, withLatency);
  recording.since = storeNow();
  const unattributed = takeUnattributed(recording.recorder);
  if (unattributed > 0)
    log().warn(
      { calls: unattributed },
      "API metrics: calls named too many tenants to be told apart",
    );
  recording.flush.put(batch, since);
}

async function maintain(): Promise<void> {
  await clockSkewMs();
  await preparePartitions();
}

/** Spools what was counted, and starts everything that waits for the store: the next tick waits for none of it. */
async function tick(recording: Recording): Promise<void> {
  recording.ticks += 1;
  const isMinuteEnd = Math.floor(recording.since / minuteMs) !== Math.floor(storeNow() / minuteMs);
  spool(recording, isMinuteEnd || recording.ticks % latencyTicks === 0);
  await renewLease(recording.name);
  start(recording, "sending", () => recording.flush.drain());
  if (recording.ticks % adoptTicks === 1) {
    start(recording, "adopting", () => adopt(recording));
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

/** Begins to count what is answered, once per process, and takes over what killed processes left. */
export function startRecording(): void {
  if (globalThis.gatehouseRecording) return;
  const name = newSpoolName();
  const recording: Recording = {
    recorder: newRecorder(),
    flush: openFlush(name),
    name,
    since: storeNow(),
    ticks: 0,
    timer: undefined,
    ticking: Promise.resolve(),
    jobs: new Map(),
    isStopped: false,
  };
  globalThis.gatehouseRecording = recording;
  globalThis.gatehouseMetricsPendingSince = () => recording.flush.pendingSince() ?? recording.since;
  onCompletedRequest((completed) => count(recording.recorder, completed));
  schedule(recording);
}

/** Writes everything counted so far. What the store does not take now stays in the spool for the next start. */
export async function stopRecording(): Promise<void> {
  const recording = globalThis.gatehouseRecording;
  if (!recording) return;
  recording.isStopped = true;
  clearTimeout(recording.timer);
  await recording.ticking;
  await Promise.all(recording.jobs.values());
  spool(recording, true);
  if (await recording.flush.drain()) await closeSpool(recording.name);
}

/** Calls that were counted and could not be kept. */
export const droppedCalls = (): number => globalThis.gatehouseRecording?.flush.dropped() ?? 0;
