import { describe, expect, test } from "vitest";
import { isLanguageTag, problemsOf, summaryOf } from "./content";

const at = (configuration: Record<string, unknown>) =>
  problemsOf(configuration).map(({ pointer }) => pointer);

describe("problems", () => {
  test("none in a configuration whose known fields have the right type, with any unknown fields", () => {
    const known = {
      title: "Home",
      enabled: true,
      stage: "live",
      urlTemplate: "https://shop.example/{locale}/{slug}",
      locales: ["de-AT", "en"],
      effectiveAt: "2026-12-01T08:00:00+01:00",
      viewports: [
        { width: 390, name: "phone" },
        { width: 1280, height: 800 },
      ],
    };
    expect(problemsOf({ ...known, anything: { goes: [null, 1.5] }, "": 1 })).toEqual([]);
    expect(problemsOf({})).toEqual([]);
  });

  test("one for each wrong type, by pointer and in the document's order", () => {
    const wrong = {
      viewports: [{ width: 390 }, { width: "wide" }, {}, 7],
      effectiveAt: "30 February",
      locales: ["en", 5, "not_a_tag"],
      urlTemplate: "http://shop.example/",
      stage: "published",
      enabled: "yes",
      title: null,
    };
    expect(at(wrong)).toEqual([
      "/viewports/1/width",
      "/viewports/3",
      "/effectiveAt",
      "/locales/1",
      "/locales/2",
      "/urlTemplate",
      "/stage",
      "/enabled",
      "/title",
      "/viewports/2/width",
    ]);
  });

  test("each describes the expected value", () => {
    expect(problemsOf({ enabled: "yes", stage: 1 })).toEqual([
      { pointer: "/enabled", detail: "/enabled must be a boolean." },
      { pointer: "/stage", detail: "/stage must be one of draft, staged, live." },
    ]);
  });

  test("a hundred at most", () => {
    expect(problemsOf({ locales: Array(1000).fill(1) })).toHaveLength(100);
  });

  test("members named like properties of every object are ordinary members", () => {
    expect(problemsOf(JSON.parse('{"__proto__":1,"constructor":2,"toString":3}'))).toEqual([]);
  });
});

test("lists show only members of the right type, and no control characters", () => {
  expect(summaryOf({ title: "a\u0000b", enabled: 1, stage: "draft" })).toEqual({
    title: "a b",
    isEnabled: null,
    stage: "draft",
  });
  expect(summaryOf({ title: "😀".repeat(300) }).title).toBe("😀".repeat(200));
});

describe("language tags", () => {
  test.each([
    "de",
    "de-AT",
    "zh-Hant-TW",
    "es-419",
    "sl-rozaj-biske",
    "de-CH-1996",
    "zh-cmn-Hans-CN",
    "x-own",
    "en-a-ext-x-own",
    "i-klingon",
    "DE-at",
  ])("%s is one", (tag) => {
    expect(isLanguageTag(tag)).toBe(true);
  });
  test.each([
    "",
    "d",
    "de_AT",
    "de-",
    "de--AT",
    "123",
    "de-1996-1996",
    "en-a-bb-a-cc",
    "toolonglang-AT-",
    "en-x",
  ])("%s is none", (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  });
});
