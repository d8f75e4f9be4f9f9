import { describe, expect, test } from "vitest";
import { z } from "zod";
import { cut, textOf, textProblem } from "./text";
import { checkBody, checkQuery } from "./validation";

describe("the start of a text", () => {
  test("never ends in half a surrogate pair, and never contains one", () => {
    const text = `${"x".repeat(9)}😀 and more`;
    for (let max = 8; max <= text.length; max += 1) {
      expect(cut(text, max, "").isWellFormed()).toBe(true);
      expect(cut(text, max, "").length).toBeLessThanOrEqual(max);
      expect(cut(text, max).length).toBeLessThanOrEqual(max);
    }
    expect(cut(text, 10, "")).toBe("x".repeat(9));
    expect(cut(text, 11, "")).toBe(`${"x".repeat(9)}😀`);
    expect(cut(text, 11)).toBe(`${"x".repeat(9)}…`);
    expect(cut(text, text.length)).toBe(text);
    expect(cut("a\ud83d", 10)).toBe("a\ufffd");
  });
});

describe("the rule of text", () => {
  const schema = z.strictObject({
    line: z.string().optional(),
    trimmed: z.string().meta(textOf("trimmed")).optional(),
    lines: z.string().meta(textOf("lines")).nullable().default(null),
    secret: z.string().max(99).meta(textOf("secret")).optional(),
    bytes: z.unknown().meta(textOf("bytes")).optional(),
    list: z
      .array(z.union([z.object({ lines: z.string().meta(textOf("lines")) }), z.string()]))
      .optional(),
    record: z.record(z.string(), z.string()).optional(),
  });
  const pointersOf = (body: unknown) =>
    checkBody(schema, body).problems?.map(({ pointer }) => pointer) ?? [];

  test("applies under every text schema, and to names", () => {
    const text = "a\0";
    expect(pointersOf({ line: text, list: [{ lines: text }, text] })).toEqual([
      "/line",
      "/list/0/lines",
      "/list/1",
    ]);
    expect(pointersOf({ record: { "a\u202e": "b", c: text } })).toEqual([
      "/record/a\u202e",
      "/record/c",
    ]);
    expect(checkQuery(z.strictObject({ q: z.string() }), { q: text }).problems).toMatchObject([
      { pointer: "?q", detail: "?q must not contain the control character U+0000." },
    ]);
  });

  test("is the schema's text for a field", () => {
    expect(pointersOf({ trimmed: "\n a\t", lines: "a\tb\r\nc\n", secret: "\u202e\n" })).toEqual([]);
    expect(
      pointersOf({ trimmed: "a\nb", lines: "a\rb", secret: "\0", bytes: { a: "\0" } }),
    ).toEqual(["/trimmed", "/lines", "/secret"]);
    expect(pointersOf({ list: [{ lines: "a\nb" }], line: "a\tb" })).toEqual(["/line"]);
  });

  test.each([
    ["a\nb", "a line break (U+000A)"],
    ["a\u2029b", "a line break (U+2029)"],
    ["a\u202eb", "U+202E, which changes the direction of text"],
    ["a\u0007b", "the control character U+0007"],
    ["a\ud83d", "half of a surrogate pair"],
    ["\u200e\u200f é 😀", undefined],
  ])("%j holds what is named", (text, held) => {
    expect(textProblem(text, "line")).toBe(held);
  });
});
