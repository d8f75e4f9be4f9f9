import { setImmediate as breathe } from "node:timers/promises";
import { oldestKeys } from "@/lib/api-keys/descriptions";
import { db } from "@/lib/db/open";
import { madeAt } from "@/lib/tenants/service";
import { type DemoCaller, dayOfTraffic } from "./demo-traffic";
import { dayMs } from "./grains";
import { syntheticSource } from "./metadata";
import { writeCells } from "./write";

const tenantId = "demo";
const days = 30;

async function lastDay(): Promise<number> {
  const { rows } = await db().$client.query<{ seq: string }>("select seq from metric_batches where tenant_id = $1 and source = $2", [
    tenantId,
    syntheticSource,
  ]);
  return Number(rows[0]?.seq ?? 0);
}

/** Gives the demo tenant 30 days of calls, once; a fill that was broken off goes on where it was. A day is a batch, numbered by its date. */
export async function addDemoTraffic(): Promise<void> {
  const made = await madeAt(tenantId, "demo");
  if (!made) return;
  const end = made.getTime();
  const lastOfAll = Math.floor(end / dayMs);
  const done = await lastDay();
  if (done >= lastOfAll) return;
  const keys: DemoCaller[] = (await oldestKeys(tenantId, 3)).map(({ apiKeyId, userId }) => ({ apiKeyId, userId }));
  for (let day = Math.max(done + 1, lastOfAll - days); day <= lastOfAll; day += 1) {
    await writeCells({ tenantId, source: syntheticSource, seq: day }, dayOfTraffic(day * dayMs, end, keys));
    await breathe();
  }
}
