import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { perProcess, resetPerProcess } from "@/lib/protocol/per-process";
import { makeTenant } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { compact } from "./compaction";
import { dayMs, minuteMs } from "./grains";
import { dropOldPartitions, preparePartitions } from "./partitions";
import { countCalls } from "./query-engine";
import type { Group } from "./values";
import { writeCells } from "./write";

const realNow = Date.now.bind(Date);
const monotonic = performance.now.bind(performance);
const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const partitionState = perProcess("metrics-partitions", (): { due?: object } => ({}));

const moveClock = (ms: number) => vi.spyOn(Date, "now").mockImplementation(() => realNow() + ms);
const waitFor = (ms: number) => {
  vi.spyOn(performance, "now").mockImplementation(() => monotonic() + ms);
  moveClock(ms);
};

function forgetState(): void {
  vi.restoreAllMocks();
  resetPerProcess("clock", "metrics-partitions");
}

beforeEach(forgetState);
afterEach(forgetState);

const cellsAt = (at: number, count: number) =>
  ["one", "two"].map((site) => ({
    at,
    values: encodeLabels({
      domain: "user",
      site,
      endpoint: "GET /x",
      method: "GET",
      status: "200",
      credentialKind: "none",
    }),
    count,
  }));

async function counted(tenantId: string, group: Group[]): Promise<number> {
  const { series } = await countCalls(
    {
      tenantId,
      from: now - 60 * minuteMs,
      to: now,
      group,
      filters: {},
      statusClasses: [],
      timeZone: "UTC",
      period: { unit: "minute", count: 1, timeZone: "UTC" },
    },
    now,
  );
  return series.reduce((sum, { total }) => sum + total, 0);
}

async function partitions(table: string): Promise<string[]> {
  const { rows } = await db().$client.query<{ name: string }>(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass",
    [table],
  );
  return rows.map(({ name }) => name).sort();
}

test.each([9 * dayMs, 500 * dayMs, -500 * dayMs])(
  "a clock that jumps by %d ms loses no minute that is written and packed at that time",
  async (ms) => {
    const tenantId = await makeTenant();
    await writeCells({ tenantId, source: "a", seq: 1 }, cellsAt(now - minuteMs, 3), now);
    const before = await partitions("metric_minutes");
    const wrong = now + ms;
    await writeCells({ tenantId, source: "a", seq: 2 }, cellsAt(now - minuteMs, 4), wrong);
    await compact(tenantId, wrong);
    moveClock(ms);
    await dropOldPartitions();
    vi.restoreAllMocks();
    expect(await partitions("metric_minutes")).toEqual(expect.arrayContaining(before));
    expect(await counted(tenantId, ["site"])).toBe(14);
    expect(await counted(tenantId, ["site", "endpoint"])).toBe(14);
  },
);

const makeOld = () =>
  db().$client.query(
    "create table if not exists metric_minutes_20200102 partition of metric_minutes for values from ('2020-01-02') to ('2020-01-03')",
  );

test("a partition past its retention is dropped after a quarter of an hour, not before", async () => {
  await makeOld();
  await dropOldPartitions();
  expect(await partitions("metric_minutes")).toContain("metric_minutes_20200102");
  waitFor(16 * minuteMs);
  // A new day restarts the wait.
  await dropOldPartitions();
  waitFor(32 * minuteMs);
  await dropOldPartitions();
  const clockIsOff = await partitions("metric_minutes");
  expect(clockIsOff).toContain("metric_minutes_20200102");
});

test("with clocks that agree the wait ends", async () => {
  await makeOld();
  await db().$client.query(
    "insert into store_clock (name, seen_at) values ('trusted', $1) on conflict (name) do update set seen_at = excluded.seen_at",
    [new Date().toISOString()],
  );
  vi.spyOn(performance, "now").mockImplementation(() => monotonic() - 16 * minuteMs);
  const early = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 16 * minuteMs);
  const [day, today] = [realNow() - 16 * minuteMs, realNow()].map((at) => Math.floor(at / dayMs));
  await dropOldPartitions();
  if (day !== today) partitionState().due = { day: today, since: -Infinity, isDone: false };
  early.mockRestore();
  vi.restoreAllMocks();
  await dropOldPartitions();
  expect(await partitions("metric_minutes")).not.toContain("metric_minutes_20200102");
  await preparePartitions();
});

test("a write into a partition that another process dropped re-reads the partitions and counts in the remaining ones", async () => {
  const tenantId = await makeTenant();
  await makeOld();
  await preparePartitions(now);
  await db().$client.query("drop table metric_minutes_20200102");
  const at = Date.UTC(2020, 0, 2);
  expect(await writeCells({ tenantId, source: "a", seq: 1 }, cellsAt(at, 1), now)).toBe(true);
  await compact(tenantId, now);
});
