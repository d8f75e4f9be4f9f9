import { describe, expect, test } from "vitest";
import { chartSeries } from "./series";

const times = ["2026-11-24T00:00:00.000Z"];

/** Series of calls with these groups, the first with the most calls. */
function seriesOf(groups: Record<string, string>[], apiKeys: Named[] = []) {
  const series = groups.map((one, index) => ({ groups: one, values: [groups.length - index] }));
  return chartSeries({ times, series }, { apiKeys });
}
type Named = { id: string; name: string; hint: string };

const endpoints = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ endpoint: `GET /${index}` }));

test("more than 6 series become 5 and the rest, whose key stays the same when a series is added", () => {
  const [before, after] = [seriesOf(endpoints(8)), seriesOf(endpoints(9))];
  expect([before.at(-1)?.label, after.at(-1)?.label]).toEqual(["other (3)", "other (4)"]);
  expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key));
});

describe("a series is identified by its key", () => {
  const apiKeys = [
    { id: "key_1", name: "ci-key", hint: "aaaa" },
    { id: "key_2", name: "ci-key", hint: "bbbb" },
    { id: "key_3", name: "no key", hint: "cccc" },
    { id: "key_4", name: "nightly", hint: "dddd" },
  ];

  test("keys of the same name are distinguished by their last characters, and from calls without a key", () => {
    const ids = ["key_1", "key_2", "key_3", "key_4", "", "key_gone"];
    const found = seriesOf(
      ids.map((apiKey) => ({ apiKey })),
      apiKeys,
    );
    expect(found.map(({ label }) => label)).toEqual([
      "ci-key (…aaaa)",
      "ci-key (…bbbb)",
      "no key (…cccc)",
      "nightly",
      "no key",
      "key_gone",
    ]);
    expect(new Set(found.map(({ key }) => key)).size).toBe(ids.length);
  });

  test.each([
    ["a value like what stands for the rest", endpoints(7).map(({ endpoint }) => ({ endpoint }))],
    ["a value like what stands for none", [{ domain: "" }, { domain: "unknown" }]],
    [
      "values like the parts of a key",
      [
        { a: "x|y", b: "" },
        { a: "x", b: "y|~2" },
      ],
    ],
    ["a value like what ends a key", [{ a: "~" }, { a: "~0" }, { a: "|" }, { a: "~1" }, { a: "" }]],
    [
      "one value in two groups",
      [
        { a: "x", b: "y, z" },
        { a: "x, y", b: "z" },
      ],
    ],
  ])("%s has its own key and label", (_, groups) => {
    const found = seriesOf(groups);
    expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
    expect(new Set(found.map(({ label }) => label)).size).toBe(found.length);
  });

  test("a value has the same key regardless of its name, so that a link identifies one series", () => {
    const [before] = seriesOf([{ apiKey: "key_1" }], apiKeys);
    const [after] = seriesOf([{ apiKey: "key_1" }], [{ id: "key_1", name: "other", hint: "zzzz" }]);
    expect([before?.key, after?.key]).toEqual(["key_1", "key_1"]);
  });
});

test("a site is labelled by name, or by id when it has none or was deleted", () => {
  const series = ["eu", "us", ""].map((site) => ({ groups: { site }, values: [1] }));
  const found = chartSeries({ times, series }, { apiKeys: [], siteNames: { eu: "EU Store" } });
  expect(found.map(({ label }) => label)).toEqual(["EU Store", "us", "no site"]);
  expect(found.map(({ key }) => key)).toEqual(["eu", "us", "~2"]);
});
