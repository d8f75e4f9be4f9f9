import { expect, test } from "vitest";
import { isZoneless, rangeBefore, rangeOf } from "./range";

const now = Date.parse("2026-11-21T15:28:11.700Z");
const shown = ({ from, to }: { from: number; to: number }) => [
  new Date(from).toISOString().slice(0, 16),
  new Date(to).toISOString().slice(0, 16),
];
const of = (range: string) => shown(rangeOf({ range, from: "", to: "" }, now));

test("a preset ends with the running minute and begins where a bucket of the period that is picked does", () => {
  expect(of("1h")).toEqual(["2026-11-21T14:29", "2026-11-21T15:29"]);
  expect(of("24h")).toEqual(["2026-11-20T15:25", "2026-11-21T15:29"]);
  expect(of("7d")).toEqual(["2026-11-14T15:00", "2026-11-21T15:29"]);
  expect(of("30d")).toEqual(["2026-10-22T15:00", "2026-11-21T15:29"]);
  expect(of("90d")).toEqual(["2026-08-23T12:00", "2026-11-21T15:29"]);
});

test("from and to stay as they are, wherever a bucket begins", () => {
  const given = { range: "", from: "2026-11-20T15:26:00.000Z", to: "2026-11-21T15:29:00.000Z" };
  expect(shown(rangeOf(given, now))).toEqual(["2026-11-20T15:26", "2026-11-21T15:29"]);
});

test("the range before is as long, lies before it, and its buckets lie under the range's own", () => {
  const range = rangeOf({ range: "24h", from: "", to: "" }, now);
  const before = rangeBefore(range);
  expect(before.to - before.from).toBe(range.to - range.from);
  expect(before.to).toBeLessThanOrEqual(range.from);
  expect((range.from - before.from) % (5 * 60_000)).toBe(0);
});

test("one rule picks the period in the browser and on the server: at most 300 buckets", () => {
  expect(of("5h")).toEqual(["2026-11-21T10:29", "2026-11-21T15:29"]);
  expect(of("301m")[0]).toBe("2026-11-21T10:25");
});

test("buckets of minutes that divide every zone's offset are asked for once, in whatever zone they are shown", () => {
  const zoneless = (range: string, period = "auto") =>
    isZoneless({ range, from: "", to: "", period });
  expect([zoneless("1h"), zoneless("24h"), zoneless("3d")]).toEqual([true, true, true]);
  expect([zoneless("40h"), zoneless("7d"), zoneless("90d")]).toEqual([false, false, false]);
  expect([zoneless("7d", "15-minute"), zoneless("1h", "10-minute")]).toEqual([true, false]);
  const from = "2026-11-20T15:26:00.000Z";
  expect(isZoneless({ range: "", from, to: "2026-11-21T15:29:00.000Z", period: "auto" })).toBe(
    true,
  );
});
