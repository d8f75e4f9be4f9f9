import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels, overflow, withLabel } from "./call-labels";
import { compact } from "./compaction";
import { minuteMs } from "./grains";
import { topCalls } from "./query-engine";
import type { Dimension, Group } from "./values";
import { writeCells } from "./write";

const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const plain = encodeLabels({
  domain: "user",
  endpoint: "GET /x",
  method: "GET",
  status: "200",
  credentialKind: "none",
});

/** Cells that differ in one dimension only. */
const cellsOf = (dimension: Dimension, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    at: now - minuteMs,
    values: withLabel(plain, dimension, `v${from + index}`),
    count: 1,
  }));

async function counted(tenantId: string, group: Group): Promise<Map<string, number>> {
  const range = { from: now - 60 * minuteMs, to: now };
  const question = { filters: {}, statusClasses: [], timeZone: "UTC", period: undefined };
  const top = await topCalls({ tenantId, ...range, group: [group], ...question }, 20_000);
  return new Map(top.map(({ groups, count }) => [groups[group] ?? "", count]));
}

const sum = (counts: Map<string, number>) =>
  [...counts.values()].reduce((all, one) => all + one, 0);

async function seriesOf(tenantId: string): Promise<number> {
  const { rows } = await db().$client.query<{ count: number }>(
    "select count(*)::int as count from metric_series where tenant_id = $1",
    [tenantId],
  );
  return rows[0]?.count ?? 0;
}

test.each(["domain", "endpoint"] as const)(
  "at most 10,000 values of %s are distinguished, and every call is counted",
  async (dimension) => {
    const tenantId = await makeTenant();
    for (let batch = 0; batch < 11; batch += 1) {
      const cells = cellsOf(dimension, batch * 1000, 1000);
      await writeCells({ tenantId, source: "a", seq: batch + 1 }, cells);
    }
    const before = await seriesOf(tenantId);
    for (let batch = 11; batch < 13; batch += 1) {
      const cells = cellsOf(dimension, batch * 1000, 1000);
      await writeCells({ tenantId, source: "a", seq: batch + 1 }, cells);
    }
    await compact(tenantId);
    const counts = await counted(tenantId, dimension);
    expect([counts.size, counts.get(overflow), sum(counts)]).toEqual([10_001, 3000, 13_000]);
    expect(sum(await counted(tenantId, "status"))).toBe(13_000);
    expect(await seriesOf(tenantId)).toBe(before);
    await writeCells({ tenantId, source: "a", seq: 14 }, cellsOf(dimension, 0, 5));
    expect((await counted(tenantId, dimension)).get("v3")).toBe(2);
  },
);
