import { setImmediate as breathe } from "node:timers/promises";
import { oldestKeys } from "@/lib/access/key-descriptions";
import { db } from "@/lib/database/open";
import { findCreationTime } from "@/lib/features/tenants/policy";
import type { Cell } from "./call-labels";
import { compact } from "./compaction";
import { type DemoStory, dayOfTraffic, trafficOf } from "./demo-traffic";
import { dayMs, hourMs, minuteMs } from "./grains";
import { syntheticSource } from "./metadata";
import { writeCells } from "./write";

const tenantId = "demo";
const days = 30;

/** Traffic after the fill: the sequence number is the minute up to which it exists. */
const liveSource = "synthetic-traffic-live";

async function numberOf(source: string): Promise<number> {
  const { rows } = await db().$client.query<{ seq: string }>(
    "select seq from metric_batches where tenant_id = $1 and source = $2",
    [tenantId, source],
  );
  return Number(rows[0]?.seq ?? 0);
}

/** The facts that the demo's traffic depends on; undefined without a demo tenant. */
export async function findDemoStory(): Promise<DemoStory | undefined> {
  const made = await findCreationTime(tenantId, "demo");
  if (!made) return undefined;
  const keys = await oldestKeys(tenantId, 3);
  return {
    made: made.getTime(),
    keys: keys.map(({ apiKeyId, userId }) => ({ apiKeyId, userId })),
  };
}

/** Gives the demo tenant 30 days of calls, the last day first; an aborted fill resumes. A day is a batch. True once complete. */
export async function addDemoTraffic(): Promise<boolean> {
  const story = await findDemoStory();
  if (!story) return false;
  const done = await numberOf(syntheticSource);
  if (done > days) return false;
  const { made, keys } = story;
  const today = Math.floor(made / dayMs) * dayMs;
  for (let back = done; back <= days; back += 1) {
    await writeCells(
      { tenantId, source: syntheticSource, seq: back + 1 },
      dayOfTraffic(today - back * dayMs, made, keys),
    );
    await breathe();
  }
  await compact(tenantId);
  return true;
}

/** The first minute after the fill. */
const liveFrom = ({ made }: DemoStory) => Math.ceil((made - minuteMs) / minuteMs) * minuteMs;

/** A demo that was stopped for a while catches up in parts. */
const maxPartMs = 6 * hourMs;

/**
 * Adds the demo's calls of past minutes that have none yet, for at most the last 30 days. Returns the cells of the last part, from which
 * sample requests can be logged.
 */
export async function continueDemoTraffic(now: number): Promise<Cell[]> {
  const story = await findDemoStory();
  if (!story) return [];
  const until = Math.floor(now / minuteMs) * minuteMs;
  const since = (await numberOf(liveSource)) * minuteMs || liveFrom(story);
  let written: Cell[] = [];
  for (let from = Math.max(since, until - days * dayMs); from < until; ) {
    const to = Math.min(until, (Math.floor(from / maxPartMs) + 1) * maxPartMs);
    const cells = [...trafficOf(story, from, to, now)];
    const batch = { tenantId, source: liveSource, seq: to / minuteMs };
    written = (await writeCells(batch, cells)) ? cells : [];
    from = to;
    await breathe();
  }
  return written;
}
