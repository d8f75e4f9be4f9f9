import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { germanByArea } from "./german";
import { bareTexts } from "./testing/bare-texts";
import { germanProblems, missingTexts, portalTexts } from "./testing/catalogue";
import { textsOf } from "./testing/extract";
import { physicalClasses } from "./testing/physical-classes";

const root = process.cwd();

test("texts are shown only where a reader is known, with values for all placeholders", () => {
  expect(portalTexts(root).problems).toEqual([]);
});

test("the German catalogues contain every used text once, with the same placeholders", () => {
  expect(germanProblems(root)).toEqual([]);
});

test("every catalogue is loaded", () => {
  const files = readdirSync("components/texts/de").map((file) => file.replace(".json", ""));
  expect(Object.keys(germanByArea).sort()).toEqual(files.sort());
});

test("every text has a German one: node scripts/texts.mjs missing", () => {
  expect(missingTexts(root)).toEqual({});
});

/** The sources of the pages; the reference is in English only. */
const pages = ["app", "components"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith(".tsx") && !file.split("/").includes("docs"));

test("every shown text is in the catalogue", () => {
  expect(pages.flatMap((file) => bareTexts(file, readFileSync(file, "utf8")))).toEqual([]);
});

test("no class names a side of the screen, except in charts, which run from left to right", () => {
  const files = pages.filter((file) => !/^components\/(ui\/chart|metrics\/minimap)/.test(file));
  expect(files.flatMap((file) => physicalClasses(file, readFileSync(file, "utf8")))).toEqual([]);
});

const planted: [name: string, source: string, problem: string][] = [
  ["a text at module level", 'const a = t("Locked");', "runs once for all readers"],
  [
    "a placeholder without value",
    'const a = () => t("{a} {b}", { a: 1 });',
    "nothing is given for b",
  ],
  [
    "a tag without element",
    'const a = () => rich("<b>a</b> {c}", { c });',
    "nothing is given for b",
  ],
];

for (const [name, source, problem] of planted)
  test(`a planted violation is caught: ${name}`, () => {
    expect(textsOf("planted.tsx", source).problems).toEqual([expect.stringContaining(problem)]);
  });

test.each([
  ["between tags", "const a = <p>Locked</p>;"],
  ["in an attribute", 'const a = <Card title="Locked users" />;'],
])("a planted text is caught: %s", (_, source) => {
  expect(bareTexts("planted.tsx", source)).toHaveLength(1);
});

test.each(["ml-2", "sm:-right-1", "border-l", "text-left"])(
  "a planted class is caught: %s",
  (name) => {
    const source = `const a = <p className="flex ${name} p-2" />;`;
    expect(physicalClasses("planted.tsx", source)).toHaveLength(1);
  },
);

test("is allowed: a message at module level, and braces that are not placeholders", () => {
  const source = 'const a = msg("Locked"); const b = () => t("Use {locale} here");';
  expect(textsOf("planted.tsx", source).problems).toEqual([]);
});
