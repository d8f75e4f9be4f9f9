import { expect, test } from "vitest";
import { csvField, csvLine } from "./csv";

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝1+1", "'＝1+1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ["a;b", '"a;b"'],
  ["a;=1+1", `"a;'=1+1"`],
  ["a;＝1+1", `"a;'＝1+1"`],
  ["a\n=1+1", `"a\n'=1+1"`],
  ["a\t=1+1", `"a\t'=1+1"`],
  ["a=1", "a=1"],
])("the field %j is written as %j", (text, written) => {
  expect(csvField(text)).toBe(written);
});

test("no cell starts with a formula character, whichever separator a spreadsheet uses", () => {
  const line = csvLine(["x", "a;=1+1", ";+1", "b;;-1", "c\t@1", "＝1"]);
  for (const separator of [",", ";", "\t"])
    for (const cell of line.trimEnd().split(separator))
      expect(cell.replaceAll('"', "")).not.toMatch(/^[=+\-@＝＋－＠]/);
});
