import { encodeLabels } from "./call-labels";
import type { Cell } from "./dimensions";
import { dayMs, grains, hourMs, minuteMs } from "./grains";
import { bucketOf } from "./histogram";

export interface DemoCaller {
  apiKeyId: string;
  userId: string;
}

interface Flow {
  domain: string;
  endpoint: string;
  /** Calls a minute at noon, by status. */
  rates: Record<string, number>;
  ms: number;
  by: "key" | "session" | "customer" | "anonymous";
  isOfSite: boolean;
  /** So long before the end it stopped: nobody knows why. */
  silentMs?: number;
}

const flows: Flow[] = [
  {
    domain: "user",
    endpoint: "GET /v1/user/list",
    rates: { 200: 18, 401: 0.4 },
    ms: 9,
    by: "key",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "GET /v1/user/session",
    rates: { 200: 22 },
    ms: 3,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "POST /v1/user/session-login",
    rates: { 200: 3, 401: 0.7 },
    ms: 85,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "GET /v1/user/{id}",
    rates: { 200: 9, 404: 0.3 },
    ms: 5,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/anonymous-token",
    rates: { 200: 140 },
    ms: 4,
    by: "anonymous",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/token",
    rates: { 200: 34, 401: 5 },
    ms: 92,
    by: "anonymous",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/refresh-token",
    rates: { 200: 61, 401: 1 },
    ms: 7,
    by: "customer",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "GET /v1/customer/profile",
    rates: { 200: 210, 401: 3 },
    ms: 6,
    by: "customer",
    isOfSite: true,
  },
  {
    domain: "pim",
    endpoint: "GET /pim/preview/{key}/configuration",
    rates: { 200: 46, 304: 30 },
    ms: 5,
    by: "key",
    isOfSite: true,
  },
  {
    domain: "pim",
    endpoint: "PUT /pim/preview/{key}/configuration",
    rates: { 200: 7, 412: 0.3 },
    ms: 14,
    by: "key",
    isOfSite: true,
  },
  {
    domain: "api-metrics",
    endpoint: "GET /v1/api-metrics/metrics/timeserie-counts",
    rates: { 200: 6 },
    ms: 11,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "orders",
    endpoint: "POST /orders/import",
    rates: { 200: 4 },
    ms: 40,
    by: "key",
    isOfSite: false,
    silentMs: 2 * hourMs,
  },
];

const incidentMs = 40 * minuteMs;

/** The same number from 0 to 1 for the same place and time, so that a fill can go on where it was broken off. */
function noise(at: number, flow: number, salt: number): number {
  let hash =
    Math.imul(at / minuteMs, 0x9e3779b1) ^
    Math.imul(flow + 1, 0x85ebca6b) ^
    Math.imul(salt + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** How busy shops are: nights are quiet, evenings and weekends are not, and it grows a little every week. */
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

/** What goes wrong in the incident: writes of preview configurations fail, slowly, and their callers try again. */
function inIncident(
  flow: Flow,
  rates: Record<string, number>,
): { rates: Record<string, number>; slower: number } {
  if (flow.endpoint.startsWith("PUT /pim")) return { rates: { 200: 2, 503: 42 }, slower: 60 };
  if (flow.domain === "pim") return { rates: { ...rates, 503: 3 }, slower: 5 };
  return { rates, slower: 1 };
}

/** Nobody looks at last week by the minute: fewer steps fill the store sooner. */
function stepOf(age: number): number {
  if (age < 3 * dayMs) return minuteMs;
  return age < 9 * dayMs ? 5 * minuteMs : grains.quarter.slotMs;
}

/** One UTC day of calls up to `end`, ever coarser the longer ago it is. */
export function* dayOfTraffic(
  day: number,
  end: number,
  keys: readonly DemoCaller[],
): Generator<Cell> {
  const incident = Math.floor((end - 20 * hourMs) / hourMs) * hourMs + 5 * minuteMs;
  const step = stepOf(end - day);
  for (let at = day; at < Math.min(day + dayMs, end - minuteMs); at += step) {
    const busy = (busyness(at, end) * step) / minuteMs;
    const isIncident = at >= incident && at < incident + incidentMs;
    for (const [index, flow] of flows.entries()) {
      if (flow.silentMs !== undefined && at >= end - flow.silentMs) continue;
      const { rates, slower } = isIncident
        ? inIncident(flow, flow.rates)
        : { rates: flow.rates, slower: 1 };
      const callers = flow.by === "key" && keys.length > 0 ? keys : [undefined];
      const caller = callers[Math.floor(noise(at, index, 7) * callers.length)];
      const site = flow.isOfSite ? (noise(at, index, 8) < 0.7 ? "eu-store" : "us-store") : "";
      for (const [status, rate] of Object.entries(rates)) {
        const chance = noise(at, index, Number(status));
        const count = Math.floor(
          rate * busy * (0.7 + 0.6 * chance) + noise(at, index, Number(status) + 1),
        );
        if (count === 0) continue;
        yield {
          at,
          values: valuesOf(flow, status, site, caller),
          count,
          latency: latencyOf(flow.ms * slower, count, chance),
        };
      }
    }
  }
}
