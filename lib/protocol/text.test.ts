import { describe, expect, test } from "vitest";
import { cut } from "./text";

describe("the beginning of a text", () => {
  test("never ends in half a character, and never holds one", () => {
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
