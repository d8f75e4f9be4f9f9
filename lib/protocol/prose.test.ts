import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { wordsOfProse } from "./testing/prose";
import counts from "./testing/prose-counts.json";

const root = projectRoot();
const limits: Readonly<Record<string, number>> = counts;

/** Generated files, and those with the list itself. */
const isLeftOut = (file: string) => /^lib\/protocol\/(?:testing\/)?prose|generated-/.test(file);

/** The part of the product that a file belongs to: a layer of lib, or a folder of the root. */
function areaOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (first === file) return "root";
  return first === "lib" ? `${first}/${second}` : first;
}

function wordsByArea(): Map<string, string[]> {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const files = listed.filter((file) => /\.(?:tsx?|m[jt]s|md)$/.test(file) && !isLeftOut(file));
  const found = new Map<string, string[]>();
  for (const file of files) {
    const words = wordsOfProse(file, readFileSync(join(root, file), "utf8"));
    found.set(areaOf(file), [...(found.get(areaOf(file)) ?? []), ...words]);
  }
  return found;
}

test("comments, test titles and documentation use no more private words than before: counts only go down", () => {
  const found = wordsByArea();
  if (process.env.KEEP_WORDS === "1") {
    const lower = [...found].map(([area, words]) => [
      area,
      Math.min(words.length, limits[area] ?? words.length),
    ]);
    const file = join(root, "lib/protocol/testing/prose-counts.json");
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(lower.sort()), null, 2)}\n`);
  }
  const tooMany = [...found].flatMap(([area, words]) =>
    words.length > (limits[area] ?? 0)
      ? [`${area}: ${words.length} words, at most ${limits[area] ?? 0}`, ...words]
      : [],
  );
  expect(tooMany).toEqual([]);
});

test.each([
  ["a comment", "lib/access/a.ts", "/** Whoever asks. */\nconst a = 1;"],
  ["a comment of a component", "components/a.tsx", "// It has a row of its own.\nconst a = <p />;"],
  ["the title of a test", "lib/access/a.test.ts", 'test("nobody is told", () => {});'],
  ["the title of a table", "sdk/a.test.ts", 'test.each([1])("%s is refused", () => {});'],
  ["a page", "docs/a.md", "# A\n\nIt stays for so long.\n"],
])("a planted word is caught in %s", (_, file, source) => {
  expect(wordsOfProse(file, source)).toHaveLength(1);
});

test("code is not checked", () => {
  expect(wordsOfProse("docs/a.md", "`endings`\n\n```\ntold\n```\n[a](./told.md)\n")).toEqual([]);
});
