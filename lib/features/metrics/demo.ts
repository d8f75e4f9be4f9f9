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

/** Traffic after the fill: its number is the minute up to which there is some. */
const liveSource = "synthetic-traffic-live";

async function numberOf(source: string): Promise<number> {
  const { rows } = await db().$client.query<{ seq: string }>(
    "select seq from metric_batches where tenant_id = $1 and source = $2",
    [tenantId, source],
  );
  return Number(rows[0]?.seq ?? 0);
}

/** What the demo's traffic follows from; undefined where there is no demo tenant. */
export async function findDemoStory(): Promise<DemoStory | undefined> {
  const made = await findCreationTime(tenantId, "demo");
  if (!made) return undefined;
  const keys = await oldestKeys(tenantId, 3);
  return {
    made: made.getTime(),
    keys: keys.map(({ apiKeyId, userId }) => ({ apiKeyId, userId })),
  };
}

/** Gives the demo tenant 30 days of calls, the last day first; a fill that was broken off goes on where it was. A day is a batch. Whether this ended the fill. */
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

/** The first minute that the fill left out. */
const liveFrom = ({ made }: DemoStory) => Math.ceil((made - minuteMs) / minuteMs) * minuteMs;

/** A demo that stood still is filled in parts. */
const maxPartMs = 6 * hourMs;

/**
 * Adds the demo's calls of the minutes that are over and have none yet, at most the last 30 days. Returns the cells of the last part, of
 * which requests can be logged.
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
