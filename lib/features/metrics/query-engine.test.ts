import { beforeAll, describe, expect, test } from "vitest";
import { makeTenant } from "@/lib/setup/testing/factories";
import { bucketOf, type Cell, encodeLabels, middleOf, statusClass } from "./call-labels";
import { dayMs, hourMs, minuteMs } from "./grains";
import type { CallsQuery } from "./plan";
import { countCalls, latencies, topCalls } from "./query-engine";
import { makePackedTraffic, now, period, question, today } from "./testing/packed-traffic";
import { valueIn } from "./testing/traffic";
import { type Group, groups } from "./values";
import { writeCells } from "./write";

let tenantId: string;
let cells: Cell[];

beforeAll(async () => {
  ({ tenantId, cells } = await makePackedTraffic());
});

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const groupOf = (cell: Cell, group: Group) =>
  group === "statusClass" ? statusClass(valueIn(cell, "status")) : valueIn(cell, group);

/** The expected result, computed from the cells. */
function expected(
  asked: CallsQuery,
  times: string[] | number[],
  fits: (cell: Cell) => boolean = () => true,
) {
  const found = new Map<string, number[]>();
  for (const cell of cells.filter(
    (one) => one.at >= asked.from && one.at < asked.to && fits(one),
  )) {
    const key = JSON.stringify(
      Object.fromEntries(asked.group.map((group) => [group, groupOf(cell, group)])),
    );
    const values = found.get(key) ?? times.map(() => 0);
    found.set(key, values);
    const bucket = times.findLastIndex((at) => Number(at) <= cell.at);
    values[bucket] = (values[bucket] ?? 0) + cell.count;
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const asMap = (series: { groups: Record<string, string>; values: number[] }[]) =>
  new Map(
    series
      .map(({ groups: by, values }) => [JSON.stringify(by), values] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

async function check(given: Partial<CallsQuery>, fits?: (cell: Cell) => boolean) {
  const asked = question(tenantId, given);
  const { plan: planned, series } = await countCalls(asked, now);
  expect(asMap(series)).toEqual(expected(asked, planned.times, fits));
  return planned;
}

describe("every bucket of every group has exactly the calls that were made", () => {
  const zones = [
    "UTC",
    "Europe/Paris",
    "Asia/Kathmandu",
    "America/New_York",
    "Australia/Lord_Howe",
  ];
  const groupings: Group[][] = [
    [],
    ...groups.map((group) => [group]),
    ["endpoint", "status"],
    ["domain", "statusClass", "apiKey"],
  ];

  test.each(zones)("by hour for a week, in %s", async (zone) => {
    for (const by of groupings)
      await check({
        from: now - 7 * dayMs + 7 * minuteMs,
        group: by,
        period: period("hour", 1, zone),
      });
  });

  test.each(zones)("by 6 hours, day, week and month over 90 days, in %s", async (zone) => {
    const from = today - 90 * dayMs;
    for (const by of [[], ["status"], ["endpoint", "status"]] as Group[][]) {
      for (const unit of ["hour", "day", "week", "month"] as const) {
        await check({ from, group: by, period: period(unit, unit === "hour" ? 6 : 1, zone) });
      }
    }
  });

  test("by minute and from the middle of an hour to the middle of another", async () => {
    await check({
      from: now - 2 * hourMs - 13 * minuteMs,
      to: now - 17 * minuteMs,
      group: ["status"],
      period: period("minute"),
    });
  });

  test("with filters of one dimension and of several", async () => {
    await check({ filters: { domain: ["user", "pim"] } }, (cell) =>
      ["user", "pim"].includes(valueIn(cell, "domain")),
    );
    await check(
      { filters: { status: ["404"] }, group: ["status"] },
      (cell) => valueIn(cell, "status") === "404",
    );
    await check(
      { statusClasses: ["5"], group: ["endpoint"] },
      (cell) => valueIn(cell, "status") === "503",
    );
    await check(
      { filters: { site: [""], apiKey: ["key_a"] } },
      (cell) => valueIn(cell, "site") === "" && valueIn(cell, "apiKey") === "key_a",
    );
  });
});

test("the sum is the same in every grouping, period and zone", async () => {
  const from = today - 90 * dayMs;
  const all = sum(cells.filter(({ at }) => at >= from && at < now).map(({ count }) => count));
  for (const by of groups) {
    for (const zone of ["UTC", "Asia/Kathmandu"]) {
      for (const unit of ["day", "week", "month"] as const) {
        const { series } = await countCalls(
          question(tenantId, { from, group: [by], period: period(unit, 1, zone) }),
          now,
        );
        expect(sum(series.map(({ total }) => total)), `${by} ${zone} ${unit}`).toBe(all);
      }
    }
  }
});

test("groups past the limit are summed into __other__, so that the total is unchanged", async () => {
  const other = await makeTenant();
  const many = Array.from({ length: 150 }, (_, index) => ({
    at: now - hourMs,
    values: encodeLabels({
      domain: "user",
      endpoint: `GET /${index}`,
      method: "GET",
      status: "200",
      credentialKind: "none",
    }),
    count: index + 1,
  }));
  await writeCells({ tenantId: other, source: "test", seq: 1 }, many, now);
  const { series } = await countCalls(
    { ...question(tenantId, { group: ["endpoint"], period: period("hour") }), tenantId: other },
    now,
  );
  expect(series).toHaveLength(101);
  expect(series.at(-1)).toMatchObject({ groups: { endpoint: "__other__" }, total: (50 * 51) / 2 });
  expect(sum(series.map(({ total }) => total))).toBe((150 * 151) / 2);
  expect(
    await topCalls({ ...question(tenantId, { group: ["endpoint"] }), tenantId: other }, 1, now),
  ).toEqual([
    {
      groups: { endpoint: "GET /149" },
      count: 150,
      share: Number((150 / 11_325).toPrecision(6)),
    },
  ]);
});

test("an hour beyond 31 bits keeps its position among the hours of its group", async () => {
  const other = await makeTenant();
  const hours = [3, 2, 1].map((ago) => Math.floor(now / hourMs) * hourMs - ago * hourMs);
  const values = encodeLabels({ domain: "user", endpoint: "GET /wide", method: "GET" });
  const written = hours.map((at, index) => ({
    at,
    values,
    count: index === 1 ? 2 ** 40 : index + 5,
  }));
  await writeCells({ tenantId: other, source: "test", seq: 1 }, written, now);
  const asked = { from: hours[0] ?? 0, group: ["endpoint" as const], period: period("hour") };
  const { series } = await countCalls({ ...question(other, asked), tenantId: other }, now);
  expect(series[0]?.values.slice(0, 3)).toEqual([5, 2 ** 40, 7]);
});

test("quantiles come from the histograms of all calls, and are null without calls", async () => {
  const asked = question(tenantId, {
    from: now - 2 * dayMs,
    group: ["status"],
    period: period("hour", 12),
  });
  const { plan: planned, series } = await latencies(asked, [0.5, 1], now);
  for (const { groups: by, values } of series) {
    for (const [index, at] of planned.times.entries()) {
      const end = planned.times[index + 1] ?? planned.to;
      const within = cells.filter(
        (cell) =>
          cell.at >= Math.max(at, asked.from) &&
          cell.at < end &&
          valueIn(cell, "status") === by.status,
      );
      const all = within
        .flatMap((cell) =>
          (cell.latency ?? []).flatMap(([bucket, calls]) => Array<number>(calls).fill(bucket)),
        )
        .sort((a, b) => a - b);
      const rank = by.quantile === "p50" ? Math.ceil(all.length / 2) : all.length;
      expect(values[index]).toBe(all.length === 0 ? null : middleOf(all[rank - 1] ?? 0));
    }
  }
  const whole = await latencies(
    question(tenantId, {
      from: now - 30 * dayMs,
      group: ["endpoint", "status"],
      period: period("day"),
    }),
    [0.95],
    now,
  );
  expect(whole.series).toHaveLength(24);
});

test("a latency is at most 6.3 % from the middle of its bucket", () => {
  for (const ms of [0.0625, 0.1, 1, 3.3, 17, 250, 999, 4000, 60_000])
    expect(Math.abs(middleOf(bucketOf(ms)) / ms - 1)).toBeLessThan(0.0635);
});
