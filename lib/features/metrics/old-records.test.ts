import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { dayMs } from "./grains";
import { forgetOldBatches, forgetOldSeries, syntheticSource } from "./metadata";
import { writeCells } from "./write";

const values = encodeLabels({
  domain: "user",
  endpoint: "GET /x",
  method: "GET",
  status: "200",
  credentialKind: "none",
});
const now = Date.now();
const at = Math.floor(now / 60_000) * 60_000;
const daysAgo = (days: number) => now - days * dayMs;

async function column(tenantId: string, text: string): Promise<unknown[]> {
  const { rows } = await db().$client.query<{ value: unknown }>(text, [tenantId]);
  return rows.map(({ value }) => value);
}

const seriesOf = (tenantId: string) =>
  column(tenantId, "select count(*)::int as value from metric_series where tenant_id = $1");

test("a series is deleted once no retained row can refer to it", async () => {
  const tenantId = await makeTenant();
  await writeCells({ tenantId, source: "a", seq: 1 }, [{ at, values, count: 1 }], now);
  const [before] = await seriesOf(tenantId);
  const age = (days: number) =>
    db().$client.query("update metric_series set seen_at = $2 where tenant_id = $1", [
      tenantId,
      new Date(daysAgo(days)).toISOString(),
    ]);
  await age(1490);
  await forgetOldSeries(tenantId, new Date(now));
  expect(await seriesOf(tenantId)).toEqual([before]);
  await age(1500);
  await forgetOldSeries(tenantId, new Date(now));
  expect(await seriesOf(tenantId)).toEqual([0]);
});

test("ids of batches are stored for 8 days, processes and imports as long as counts", async () => {
  const tenantId = await makeTenant();
  const land = (source: string, days: number) =>
    db().$client.query(
      "insert into metric_batches (tenant_id, source, seq, digest, received_at) values ($1, $2, 1, $3, $4)",
      [tenantId, source, Buffer.from("a"), new Date(daysAgo(days)).toISOString()],
    );
  for (const [source, days] of [
    ["batch old", 9],
    ["batch young", 7],
    ["host-1-a-b", 400],
    ["import x 1", 1500],
    [syntheticSource, 2000],
  ] as const)
    await land(source, days);
  await forgetOldBatches(tenantId, new Date(now));
  expect(
    await column(
      tenantId,
      "select source as value from metric_batches where tenant_id = $1 order by source",
    ),
  ).toEqual(["batch young", "host-1-a-b", syntheticSource]);
});
