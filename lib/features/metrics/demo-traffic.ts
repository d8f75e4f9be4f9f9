import { bucketOf, type Cell, encodeLabels } from "./call-labels";
import { demoFlows, type Flow } from "./demo-flows";
import { dayMs, grains, hourMs, minuteMs } from "./grains";

export interface DemoCaller {
  apiKeyId: string;
  userId: string;
}

const incidentMs = 40 * minuteMs;

/** The same number from 0 to 1 for the same place and time, so that an aborted fill can resume. */
function noise(at: number, flow: number, salt: number): number {
  let hash =
    Math.imul(at / minuteMs, 0x9e3779b1) ^
    Math.imul(flow + 1, 0x85ebca6b) ^
    Math.imul(salt + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** The load of the shops: low at night, high in the evening and on weekends, and slightly growing every week. */
function busyness(at: number, end: number): number {
  const hour = (at % dayMs) / hourMs;
  const daily =
    0.25 +
    0.5 * (1 + Math.sin(((hour - 9) / 24) * 2 * Math.PI)) +
    0.25 * Math.exp(-((hour - 19.5) ** 2) / 4);
  const weekday = new Date(at).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  return daily * (isWeekend ? 1.2 : 1) * (1 - (0.05 * (end - at)) / (7 * dayMs));
}

const identity: Record<Exclude<Flow["by"], "key">, string> = {
  session: "session",
  customer: "customer",
  anonymous: "anonymous",
};

function valuesOf(
  flow: Flow,
  status: string,
  site: string,
  caller: DemoCaller | undefined,
): string[] {
  const method = flow.endpoint.slice(0, flow.endpoint.indexOf(" "));
  const isRejected = status === "401" && flow.by !== "customer";
  const kind = flow.by === "key" ? "apiKey" : identity[flow.by];
  const keyLabels =
    flow.by === "key" && caller && !isRejected
      ? { apiKey: caller.apiKeyId, user: caller.userId }
      : {};
  return encodeLabels({
    domain: flow.domain,
    site,
    endpoint: flow.endpoint,
    method,
    status,
    ...keyLabels,
    credentialKind: isRejected ? "none" : kind,
  });
}

function latencyOf(ms: number, count: number, chance: number): [number, number][] {
  const slow = Math.floor(count * 0.08 + chance * 0.5);
  const middle = Math.floor((count - slow) * 0.4);
  const found: [number, number][] = [
    [bucketOf(ms * (0.85 + chance * 0.3)), count - slow - middle],
    [bucketOf(ms * 1.6), middle],
    [bucketOf(ms * (3.5 + chance)), slow],
  ];
  return found.filter(([, calls]) => calls > 0);
}

interface Weather {
  rates: Record<string, number>;
  slower: number;
}

/** The effect of the incident: writes of preview configurations fail slowly, and their client retries continuously. */
function inIncident(flow: Flow): Weather {
  if (flow.endpoint.startsWith("PUT /pim")) return { rates: { 200: 2, 503: 42 }, slower: 60 };
  if (flow.domain === "pim") return { rates: { ...flow.rates, 503: 3 }, slower: 5 };
  return { rates: flow.rates, slower: 1 };
}

/** Older traffic needs no minute resolution: fewer steps fill the database sooner. */
function stepOf(age: number): number {
  if (age < 3 * dayMs) return minuteMs;
  return age < 9 * dayMs ? 5 * minuteMs : grains.quarter.slotMs;
}

/** The facts of the demo that its traffic depends on. */
export interface DemoStory {
  /** When the tenant was created, 20 hours after the incident. */
  made: number;
  keys: readonly DemoCaller[];
  /** The first one has most of the calls. */
  sites?: readonly string[];
  /** Defaults to those of the demo. */
  flows?: readonly Flow[];
}

/** Whether the demo's incident was on. */
export function isIncidentOn(at: number, { made }: DemoStory): boolean {
  const since = Math.floor((made - 20 * hourMs) / hourMs) * hourMs + 5 * minuteMs;
  return at >= since && at < since + incidentMs;
}

/** The key that calls at that time; during the incident always the first one. */
function callerOf(at: number, index: number, { by }: Flow, story: DemoStory) {
  if (by !== "key") return undefined;
  const { keys } = story;
  return keys[isIncidentOn(at, story) ? 0 : Math.floor(noise(at, index, 7) * keys.length)];
}

/** A flow and its index in the list. */
type Numbered = readonly [index: number, flow: Flow];

/** The calls of one flow in one step. */
function* callsOf([index, flow]: Numbered, at: number, step: number, story: DemoStory) {
  const busy = (busyness(at, story.made) * step) / minuteMs;
  const isOn = isIncidentOn(at, story);
  const { rates, slower } = isOn ? inIncident(flow) : { rates: flow.rates, slower: 1 };
  const caller = callerOf(at, index, flow, story);
  const { sites = ["eu-store", "us-store"] } = story;
  const site = sites[noise(at, index, 8) < 0.7 ? 0 : sites.length - 1];
  for (const [status, rate] of Object.entries(rates)) {
    const chance = noise(at, index, Number(status));
    const count = Math.floor(
      rate * busy * (0.7 + 0.6 * chance) + noise(at, index, Number(status) + 1),
    );
    if (count === 0) continue;
    const latency = latencyOf(flow.ms * slower, count, chance);
    const values = valuesOf(flow, status, (flow.isOfSite && site) || "", caller);
    yield { at, values, count, latency };
  }
}

/** Calls from one minute to another, in coarser steps the older they are. */
export function* trafficOf(
  story: DemoStory,
  from: number,
  until: number,
  now = until,
): Generator<Cell> {
  yield* trafficIn(story, { from, until, step: stepOf(now - from) });
}

interface Steps {
  from: number;
  until: number;
  step: number;
}

/** Calls in steps of one length. */
export function* trafficIn(story: DemoStory, { from, until, step }: Steps): Generator<Cell> {
  const { flows = demoFlows } = story;
  for (let at = from; at < until; at += step)
    for (const [index, flow] of flows.entries())
      if (flow.silentMs === undefined || at < story.made - flow.silentMs)
        yield* callsOf([index, flow], at, step, story);
}

/** One UTC day of calls up to `end`. */
export const dayOfTraffic = (day: number, end: number, keys: readonly DemoCaller[]) =>
  trafficOf({ made: end, keys }, day, Math.min(day + dayMs, end - minuteMs), end);
