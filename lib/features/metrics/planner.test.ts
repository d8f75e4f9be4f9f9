import { beforeAll, describe, expect, test } from "vitest";
import { makeTenant } from "@/lib/setup/testing/factories";
import { dayMs, hourMs } from "./grains";
import type { CallsQuery } from "./plan";
import { plan } from "./plan";
import { countCalls } from "./query-engine";
import { makePackedTraffic, now, period, question, today } from "./testing/packed-traffic";

let tenantId: string;

beforeAll(async () => {
  ({ tenantId } = await makePackedTraffic());
});

describe("the planner", () => {
  test("uses the total or a marginal when one dimension is enough, at the coarsest grain", () => {
    const of = (given: Partial<CallsQuery>) => {
      const { shape, segments } = plan(question(tenantId, given), now);
      return [shape, segments.map(({ tier }) => tier.table)];
    };
    expect(of({ from: today - 30 * dayMs, to: today, period: period("day") })).toEqual([
      1,
      ["metric_days"],
    ]);
    expect(
      of({ from: today - 7 * dayMs, to: today, period: period("hour"), group: ["endpoint"] }),
    ).toEqual([3, ["metric_quarters"]]);
    expect(
      of({ from: today - hourMs, to: today, period: period("minute"), group: ["statusClass"] }),
    ).toEqual([5, ["metric_minutes"]]);
    expect(
      of({
        from: today - 7 * dayMs,
        to: today,
        period: period("hour"),
        group: ["endpoint", "site"],
      }),
    ).toEqual([0, ["metric_quarters_cube"]]);
  });

  test("picks the first period that gives at most 300 buckets", () => {
    const auto = (ms: number) => plan(question(tenantId, { from: now - ms }), now).period;
    expect(auto(hourMs)).toMatchObject({ unit: "minute", count: 1 });
    expect(auto(dayMs)).toMatchObject({ unit: "minute", count: 5 });
    expect(auto(7 * dayMs)).toMatchObject({ unit: "hour", count: 1 });
    expect(auto(90 * dayMs)).toMatchObject({ unit: "hour", count: 12 });
    expect(auto(290 * dayMs)).toMatchObject({ unit: "day", count: 1 });
  });

  test("cuts buckets in the future and fills the others with zeros", async () => {
    const { plan: planned, series } = await countCalls(
      question(tenantId, { from: today, to: today + 2 * dayMs, period: period("hour") }),
      now,
    );
    expect(planned.times).toHaveLength(Math.floor((now - today) / hourMs) + 1);
    expect(series[0]?.values).toHaveLength(planned.times.length);
    const empty = await countCalls(
      { ...question(tenantId, {}), tenantId: await makeTenant() },
      now,
    );
    expect(empty.series).toEqual([{ groups: {}, values: empty.plan.times.map(() => 0), total: 0 }]);
  });

  test("rejects a range that is no longer retained, with the smallest possible period", () => {
    expect(() =>
      plan(question(tenantId, { from: now - 9 * dayMs, period: period("minute", 10) }), now),
    ).toThrow(/15 minutes|smallest period/);
    expect(() =>
      plan(
        question(tenantId, {
          from: now - 500 * dayMs,
          to: now - 450 * dayMs,
          period: period("day", 1, "Europe/Paris"),
          timeZone: "Europe/Paris",
        }),
        now,
      ),
    ).toThrow(/in UTC the smallest that fits is day/);
    expect(() =>
      plan(
        question(tenantId, {
          from: now - 1200 * dayMs,
          to: now - 1150 * dayMs,
          period: period("month"),
        }),
        now,
      ),
    ).toThrow(/No period fits/);
    expect(() =>
      plan(
        question(tenantId, {
          from: today - 120 * dayMs,
          period: period("hour", 6),
          group: ["site", "status"],
        }),
        now,
      ),
    ).toThrow(/is day/);
  });
});
