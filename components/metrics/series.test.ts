import { expect, test } from "vitest";
import { chartSeries, nameOf } from "./series";

/** Series of as many endpoints as given, the first with the most calls. */
function seriesOf(count: number) {
  const series = Array.from({ length: count }, (_, index) => ({
    groups: { endpoint: `GET /${index}` },
    values: [count - index],
  }));
  return chartSeries({ times: ["2026-11-24T00:00:00.000Z"], series }, { apiKeys: [] });
}

test("more than 6 series become 5 and the rest, whose name stays when another one comes", () => {
  const [before, after] = [seriesOf(8), seriesOf(9)];
  expect([before.at(-1)?.label, after.at(-1)?.label]).toEqual(["other (3)", "other (4)"]);
  expect(before.map(nameOf)).toEqual(after.map(nameOf));
  expect(after.slice(0, -1).map(nameOf)).toEqual(after.slice(0, -1).map(({ label }) => label));
});
