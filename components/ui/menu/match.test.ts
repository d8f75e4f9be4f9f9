import { expect, test } from "vitest";
import { matchingGroups } from "./search";

const groups = [
  {
    key: "own",
    items: [
      { key: "acme-eu", label: "Acme Europe" },
      { key: "acme-us", label: "Acme America" },
    ],
  },
  { key: "more", items: [{ key: "add", label: "Sign in elsewhere" }] },
];
const found = (typed: string) =>
  matchingGroups(groups, typed).map(({ key, items }) => [key, ...items.map((one) => one.key)]);

test("every word must be in the label or in the id, in any case", () => {
  expect(found("ACME")).toEqual([["own", "acme-eu", "acme-us"]]);
  expect(found("us")).toEqual([["own", "acme-us"]]);
  expect(found("europe acme")).toEqual([["own", "acme-eu"]]);
});

test("an empty search keeps everything, and one without a match keeps nothing", () => {
  expect(found("  ")).toEqual([
    ["own", "acme-eu", "acme-us"],
    ["more", "add"],
  ]);
  expect(found("acme nowhere")).toEqual([]);
});
