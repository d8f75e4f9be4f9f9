import { randomBytes } from "node:crypto";
import { setImmediate as breathe, setTimeout as wait } from "node:timers/promises";
import { claimRound, storeNow } from "@/lib/database/clock";
import { newIdAt } from "@/lib/database/ids";
import { type Cell, labelOf, middleOf } from "@/lib/features/metrics/call-labels";
import { continueDemoTraffic, findDemoStory } from "@/lib/features/metrics/demo";
import { dayOfTraffic } from "@/lib/features/metrics/demo-traffic";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import type { LoggedRequest } from "@/lib/features/request-log/write";
import { writeRequests } from "@/lib/features/request-log/write";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { log } from "@/lib/protocol/log";

const tenantId = "demo";

/** The error code of a failed demo call, by its status. */
const codes: Readonly<Record<string, ErrorCode>> = {
  401: "auth.credentials-invalid",
  404: "user.not-found",
  412: "precondition.failed",
  503: "server.store-unavailable",
};

/** The number of logged requests of a cell: some per minute of the incident's failures, an occasional one of the rest. */
function sampleSize(status: number, isOfKey: boolean): number {
  if (status >= 500) return 3;
  const share = status >= 400 ? 0.15 : isOfKey ? 0.3 : 0;
  return Math.random() < share ? 1 : 0;
}

const kinds = ["session", "apiKey", "anonymous", "customer"] as const;
const pathOf = (template: string) => template.replace("{key}", "home").replace("{id}", "user_demo");

function requestOf({ at, values, latency = [] }: Cell): LoggedRequest {
  const of = (name: Parameters<typeof labelOf>[1]) => labelOf(values, name);
  const [method = "", template = ""] = of("endpoint").split(" ");
  const occurredAt = at + Math.floor(Math.random() * minuteMs);
  const [bucket = 0] = latency[Math.floor(Math.random() * latency.length)] ?? [];
  const apiKey = of("apiKey");
  return {
    tenantId,
    refusalId: newIdAt("req", occurredAt),
    requestId: randomBytes(8).toString("hex"),
    occurredAt: new Date(occurredAt),
    method,
    template,
    path: pathOf(template),
    status: Number(of("status")),
    code: codes[of("status")] ?? "",
    reason: null,
    siteId: of("site") || null,
    credentialKind: kinds.find((kind) => kind === of("credentialKind")) ?? null,
    credentialId: apiKey || null,
    userId: of("user") || null,
    // From the address range for documentation.
    address: apiKey ? "203.0.113.17" : `198.51.100.${1 + Math.floor(Math.random() * 250)}`,
    agent: apiKey ? "catalog-import/4.2" : "storefront/11.0",
    durationMs: Math.round(middleOf(bucket)),
  };
}

/** A sample of the requests behind the calls, ordered by time. */
export function requestsOf(cells: Iterable<Cell>): LoggedRequest[] {
  const found = [...cells].flatMap((cell) => {
    const size = sampleSize(
      Number(labelOf(cell.values, "status")),
      labelOf(cell.values, "apiKey") !== "",
    );
    return Array.from({ length: Math.min(size, cell.count) }, () => requestOf(cell));
  });
  return found.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
}

const perWrite = 400;

/** Adds a sample of the last day, with the incident, to the demo's request log. */
export async function addDemoRequests(): Promise<void> {
  const story = await findDemoStory();
  if (!story) return;
  const { made, keys } = story;
  const today = Math.floor(made / dayMs) * dayMs;
  const cells = [today - dayMs, today].flatMap((day) => [...dayOfTraffic(day, made, keys)]);
  const requests = requestsOf(cells.filter(({ at }) => at >= made - dayMs));
  for (let start = 0; start < requests.length; start += perWrite) {
    await writeRequests(tenantId, requests.slice(start, start + perWrite));
    await breathe();
  }
}

/** Adds the calls of the completed minutes, and some of their requests. */
export async function continueDemo(now: number): Promise<void> {
  const cells = await continueDemoTraffic(now);
  // After a long pause older calls are only in the charts.
  const recent = requestsOf(cells.filter(({ at }) => at >= now - 10 * minuteMs));
  if (recent.length > 0) await writeRequests(tenantId, recent);
}

const lookMs = 20_000;

/** Continues the demo's calls until the result is called, which waits for a write: on one process at a time. */
export function startDemoTraffic(): () => Promise<void> {
  const stop = new AbortController();
  const takeTurn = async () => {
    const now = storeNow();
    if (await claimRound("demo-traffic", new Date(now), minuteMs - lookMs)) await continueDemo(now);
  };
  const repeat = async () => {
    while (!stop.signal.aborted) {
      await takeTurn().catch((error: unknown) =>
        log().warn({ err: error }, "the calls of the demo did not go on"),
      );
      await wait(lookMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = repeat();
  return async () => {
    stop.abort();
    await running;
  };
}
