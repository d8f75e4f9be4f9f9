import { setImmediate as breathe } from "node:timers/promises";
import { oldestKeys } from "@/lib/access/key-descriptions";
import { db } from "@/lib/database/open";
import { findCreationTime } from "@/lib/features/tenants/service";
import { compact } from "./compaction";
import { type DemoCaller, dayOfTraffic } from "./demo-traffic";
import { dayMs } from "./grains";
import { syntheticSource } from "./metadata";
import { writeCells } from "./write";

const tenantId = "demo";
const days = 30;

async function daysDone(): Promise<number> {
  const { rows } = await db().$client.query<{ seq: string }>(
    "select seq from metric_batches where tenant_id = $1 and source = $2",
    [tenantId, syntheticSource],
  );
  return Number(rows[0]?.seq ?? 0);
}

/** Gives the demo tenant 30 days of calls, the last day first; a fill that was broken off goes on where it was. A day is a batch. Whether this ended the fill. */
export async function addDemoTraffic(): Promise<boolean> {
  const made = await findCreationTime(tenantId, "demo");
  if (!made) return false;
  const done = await daysDone();
  if (done > days) return false;
  const end = made.getTime();
  const today = Math.floor(end / dayMs) * dayMs;
  const keys: DemoCaller[] = (await oldestKeys(tenantId, 3)).map(({ apiKeyId, userId }) => ({
    apiKeyId,
    userId,
  }));
  for (let back = done; back <= days; back += 1) {
    await writeCells(
      { tenantId, source: syntheticSource, seq: back + 1 },
      dayOfTraffic(today - back * dayMs, end, keys),
    );
    await breathe();
  }
  await compact(tenantId);
  return true;
}
