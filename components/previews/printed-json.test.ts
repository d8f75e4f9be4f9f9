import { expect, test } from "vitest";
import { asStored, lineStyleOf, printJson, readable } from "./printed-json";

const value = '{"a":1.50,"b":[1,2,{"c":"x, y: {z}"}],"e":{},"f":[],"n":12345678901234567890}';

test("a text of one line is shown with a member on each line and all digits", () => {
  expect(printJson(value)).toBe(`{
  "a": 1.50,
  "b": [
    1,
    2,
    {
      "c": "x, y: {z}"
    }
  ],
  "e": {},
  "f": [],
  "n": 12345678901234567890
}`);
});

test.each([value, '{"a": 1, "b": [1, 2]}', '{"a":1, "b":[1, 2]}', '{"a": "\\u00e9\\/", "b": "é"}'])(
  "unchanged parts are stored byte for byte: %s",
  (stored) => {
    const style = lineStyleOf(stored);
    expect(style).toBeDefined();
    expect(readable(stored, style)).toContain("\n");
    expect(asStored(readable(stored, style), style)).toBe(stored);
  },
);

test("a change is stored in the style of the rest", () => {
  const style = lineStyleOf(value);
  const edited = readable(value, style).replace('"e": {}', '"e": {\n    "new": true\n  }');
  expect(asStored(edited, style)).toBe(value.replace('"e":{}', '"e":{"new":true}'));
});

test.each(['{\n  "a": 1\n}', '{ "a" : 1 }', `${"[".repeat(5000)}${"]".repeat(5000)}`])(
  "a text in another style is shown and stored as it is",
  (stored) => {
    const style = lineStyleOf(stored);
    expect(readable(stored, style)).toBe(stored);
    expect(asStored(stored, style)).toBe(stored);
  },
);

test("200 KB in one line can be read", () => {
  const big = JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 4000 }, (_, n) => [`key${n}`, [n, "some text of a member"]]),
    ),
  );
  const style = lineStyleOf(big);
  expect(readable(big, style).split("\n").length).toBeGreaterThan(10_000);
  expect(asStored(readable(big, style), style)).toBe(big);
});
