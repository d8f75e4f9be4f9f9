import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./json";
import { findJsonMistake } from "./json-position";

const at = (text: string) => {
  const mistake = findJsonMistake(text);
  return mistake && [`${mistake.line}:${mistake.column}`, mistake.expected];
};

test("reports line, column and what was expected", () => {
  expect(at('{"a": 1,}')).toEqual(["1:9", "a property name in double quotes"]);
  expect(at('{\n  "a": 1\n  "b": 2\n}')).toEqual(["3:3", 'a comma or "}"']);
  expect(at("{a: 1}")).toEqual(["1:2", 'a property name in double quotes or "}"']);
  expect(at("[1, 2")).toEqual(["1:6", 'a comma or "]"']);
  expect(at("[1, ]")).toEqual(["1:5", "a value"]);
  expect(at('{"a" 1}')).toEqual(["1:6", "a colon"]);
  expect(at("01")).toEqual(["1:1", "a value"]);
  expect(at('"a\nb"')).toEqual(["1:3", "a string without unescaped control characters"]);
  expect(at('"\\x"')).toEqual(["1:2", "an escape such as \\n or \\u00e9"]);
  expect(at('{"a": "b')).toEqual(["1:7", "a closing double quote"]);
  expect(at("{} {}")).toEqual(["1:4", "the end of the body"]);
  expect(at("'a'")).toEqual(["1:1", "a value"]);
});

test("finds an error in exactly those texts that JSON.parse rejects", () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 0123-.eEtruefalsn\n\u0001') }),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", "}", ",", '"', "x"))
      .map(([json, place, put]) => {
        const at = place % (json.length + 1);
        return json.slice(0, at) + put + json.slice(at + 1);
      }),
  );
  fc.assert(
    fc.property(text, (given) => {
      let isJson = true;
      try {
        JSON.parse(given);
      } catch {
        isJson = false;
      }
      expect(findJsonMistake(given) === undefined).toBe(isJson);
    }),
    { numRuns: 3000, seed: 1 },
  );
});

test("400: the error has the position, but no part of the body", () => {
  const body = new TextEncoder().encode('{\n  "password": "hunter2hunter2" oops\n}');
  expect(() => parseJson(body)).toThrow(
    expect.objectContaining({
      code: "request.invalid-json",
      reason: "2:32",
      message: 'The body is not valid JSON: expected a comma or "}" at line 2, column 32.',
    }),
  );
});

test("400: a large body is rejected without the position", () => {
  const body = new TextEncoder().encode(`[${'"x",'.repeat(100_000)}`);
  expect(() => parseJson(body)).toThrow("The body is not valid JSON.");
});
