import type { Caller } from "@/lib/access/caller";
import { isSandbox, sitesOf } from "@/lib/access/sites";
import { storeNow } from "@/lib/database/clock";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import type { SampleTrafficAnswer } from "./contract";
import { demoFlows } from "./demo-flows";
import { type DemoCaller, type DemoStory, trafficIn } from "./demo-traffic";
import { dayMs, hourMs, minuteMs } from "./grains";
import { pack } from "./pack";
import { preparePartitions } from "./partitions";
import {
  claimSample,
  deleteSample,
  findSample,
  insertsOf,
  runInserts,
  type SampleTraffic,
  sampleLane,
  sampleUntil,
  toSampleTraffic,
} from "./sample-rows";

/** The callers: not ids of real API keys, but descriptive names. The first one causes the incident. */
const callers: readonly DemoCaller[] = [
  { apiKeyId: "sample-catalog-import", userId: "sample-user" },
  { apiKeyId: "sample-storefront", userId: "sample-user" },
];

/** Fewer operations than the demo has: enough to look around. */
const flows = demoFlows.filter(({ domain }) => domain !== "api-metrics" && domain !== "orders");

/** The newest calls are charted by the minute, for up to six hours. */
const minutesMs = 7 * hourMs;
const coarseStep = 5 * minuteMs;

/** Parts of the range that are written separately: each at most a day, with one step. */
function partsOf({ from, to }: SampleTraffic): { from: number; until: number; step: number }[] {
  const [start, end] = [from.getTime(), to.getTime()];
  const fine = Math.floor((end - minutesMs) / hourMs) * hourMs;
  const parts = [];
  for (let at = start; at < end; ) {
    const midnight = (Math.floor(at / dayMs) + 1) * dayMs;
    const until = Math.min(midnight, at < fine ? fine : end);
    parts.push({ from: at, until, step: at < fine ? coarseStep : minuteMs });
    at = until;
  }
  return parts;
}

/** All statements, prepared before the transaction starts to keep it short. */
async function statementsFor(tenantId: string, sample: SampleTraffic) {
  const sites = [...(await sitesOf(tenantId)).keys()].sort().slice(0, 1);
  const story: DemoStory = { made: sample.to.getTime(), keys: callers, sites, flows };
  const written = await preparePartitions();
  const found = [];
  for (const part of partsOf(sample)) {
    const packed = await pack(trafficIn(story, part), written, { isWhole: true });
    found.push(...(await insertsOf(tenantId, packed, sample)));
  }
  return found;
}

const recordChange = (tx: Transaction, caller: Caller, change: "added" | "removed") =>
  record(tx, actingAs(caller), {
    action: `tenant.sample-traffic-${change}`,
    target: { type: "tenant", id: caller.tenantId },
  });

async function insert(caller: Caller): Promise<SampleTraffic | undefined> {
  const { tenantId } = caller;
  const now = storeNow();
  const sample = sampleUntil(Math.floor(now / minuteMs), new Date(now));
  const inserts = await statementsFor(tenantId, sample);
  const isAdded = await transaction(async (tx) => {
    if (!(await claimSample(tx, tenantId, sample))) return false;
    await runInserts(tx, inserts);
    await recordChange(tx, caller, "added");
    return true;
  }, sampleLane());
  return isAdded ? sample : findSample(tenantId);
}

/** Adds sample traffic to the caller's sandbox, unless it has some. Throws 409 if the tenant is no sandbox. */
export async function addSampleTraffic(caller: Caller): Promise<SampleTrafficAnswer> {
  if (!(await isSandbox(caller.tenantId)))
    throw new ApiError("tenant.sandbox-only", "Only a sandbox has sample traffic.");
  const sample = (await findSample(caller.tenantId)) ?? (await insert(caller));
  if (!sample) throw new ApiError("server.store-busy", "It was removed meanwhile. Try again.");
  return toSampleTraffic(sample);
}

/** Removes the sample traffic of the caller's tenant, if there is any. */
export async function removeSampleTraffic(caller: Caller): Promise<void> {
  await transaction(async (tx) => {
    if (await deleteSample(tx, caller.tenantId)) await recordChange(tx, caller, "removed");
  }, sampleLane());
}

/** Removes expired sample traffic; called by the hourly cleanup. */
export async function forgetOldSample(tenantId: string, now: Date): Promise<void> {
  const sample = await findSample(tenantId);
  if (sample && sample.expiresAt <= now)
    await transaction((tx) => deleteSample(tx, tenantId), sampleLane());
}
