import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { lockWaits } from "@/lib/database/testing/lock-waits";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { compact, compactAll } from "./compaction";
import { dayMs, minuteMs } from "./grains";
import { countCalls, latencies } from "./query-engine";
import type { Group } from "./values";
import { writeCells } from "./write";

const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const pairs = 30;

const cellsOf = (count: number, at = now - minuteMs) =>
  Array.from({ length: pairs }, (_, index) => ({
    at,
    values: encodeLabels({
      domain: "user",
      endpoint: `GET /${index % 6}`,
      method: "GET",
      status: "200",
      apiKey: `key_${Math.floor(index / 6)}`,
      credentialKind: "apiKey",
    }),
    count,
    latency: [[50 + index, count] as const],
  }));

const question = (tenantId: string, days = 1) => ({
  tenantId,
  from: now - days * dayMs,
  to: now,
  group: ["endpoint", "apiKey"] as Group[],
  filters: {},
  statusClasses: [],
  timeZone: "UTC",
  period: undefined,
});

/** The calls of each combination, which marginals do not contain. */
async function counted(tenantId: string): Promise<number[]> {
  const { series } = await countCalls(question(tenantId), now);
  return series.map(({ total }) => total);
}

async function waiting(tenantId: string): Promise<number> {
  const { rows } = await db().$client.query<{ sum: number }>(
    "select coalesce(sum(entries), 0)::int as sum from metric_tails where tenant_id = $1",
    [tenantId],
  );
  return rows[0]?.sum ?? -1;
}

const every = (count: number) => Array<number>(pairs).fill(count);

test("combinations are counted unpacked, packed, and both together", async () => {
  const tenantId = await makeTenant();
  await writeCells({ tenantId, source: "a", seq: 1 }, cellsOf(3), now);
  expect([await waiting(tenantId), await counted(tenantId)]).toEqual([2 * pairs, every(3)]);
  const before = await latencies(question(tenantId), [0.5], now);
  await compact(tenantId, now);
  expect([await waiting(tenantId), await counted(tenantId)]).toEqual([0, every(3)]);
  expect((await latencies(question(tenantId), [0.5], now)).series).toEqual(before.series);
  await writeCells({ tenantId, source: "a", seq: 2 }, cellsOf(4), now);
  expect(await counted(tenantId)).toEqual(every(7));
});

test("a query during concurrent writes and packing sees whole batches, and in the end every call once", async () => {
  const tenantId = await makeTenant();
  const write = async (source: string) => {
    for (let seq = 1; seq <= 10; seq += 1)
      await writeCells({ tenantId, source, seq }, cellsOf(1), now);
  };
  let isWriting = true;
  const whileWriting = async (work: () => Promise<void>) => {
    while (isWriting) await work();
  };
  const seen: number[][] = [];
  const watch = async () => {
    seen.push(await counted(tenantId));
  };
  const others = [
    whileWriting(() => compact(tenantId, now)),
    whileWriting(() => compact(tenantId, now)),
    whileWriting(watch),
  ];
  await Promise.all([write("a"), write("b"), write("c")]);
  isWriting = false;
  await Promise.all(others);
  await compactAll();
  expect([await waiting(tenantId), await counted(tenantId)]).toEqual([0, every(30)]);
  const totals = seen.map((one) => one[0] ?? 0);
  expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  for (const one of seen) expect(new Set(one).size).toBeLessThanOrEqual(1);
});

test("an aborted packing leaves every call in place", async () => {
  const tenantId = await makeTenant();
  await writeCells({ tenantId, source: "a", seq: 1 }, cellsOf(5), now);
  const client = await db().$client.connect();
  try {
    // The compaction waits for this row lock until the test ends.
    await client.query("begin");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    await client.query("select seq from metric_tails where tenant_id = $1 for update", [tenantId]);
    const packing = compact(tenantId, now).catch((error: { code?: string }) => error.code);
    await expect.poll(() => lockWaits("taken as|^delete from .*metric_tails")).toBe(1);
    await db().$client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and query like '%taken as%' and datname = current_database() and pid <> pg_backend_pid() and $1 <> ''",
      [tenantId],
    );
    expect(await packing).toBe("57P01");
    await client.query("rollback");
  } finally {
    client.release();
  }
  expect([await waiting(tenantId), await counted(tenantId)]).toEqual([2 * pairs, every(5)]);
  await compact(tenantId, now);
  expect([await waiting(tenantId), await counted(tenantId)]).toEqual([0, every(5)]);
});

test("combinations beyond 31 bits are exact", async () => {
  const tenantId = await makeTenant();
  for (const [index, count] of [2 ** 31 - 1, 5, 2 ** 40].entries()) {
    await writeCells({ tenantId, source: "a", seq: index + 1 }, cellsOf(count), now);
    await compact(tenantId, now);
  }
  expect(await counted(tenantId)).toEqual(every(2 ** 31 - 1 + 5 + 2 ** 40));
});

test("calls older than the retention of one table are counted in the others", async () => {
  const tenantId = await makeTenant();
  await writeCells({ tenantId, source: "a", seq: 1 }, cellsOf(2, now - 300 * dayMs), now);
  await compact(tenantId, now);
  const period = { unit: "day", count: 1, timeZone: "UTC" } as const;
  const from = Math.floor((now - 301 * dayMs) / dayMs) * dayMs;
  const { series } = await countCalls({ ...question(tenantId), from, period }, now);
  expect(series.map(({ total }) => total)).toEqual(every(2));
});
