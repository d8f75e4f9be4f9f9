import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "./errors";
import { parseJson } from "./json";

const parse = (text: string) => parseJson(new TextEncoder().encode(text));

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

test("parses whatever JSON.stringify writes like JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', "/a"],
  ['{"list":[{"x":1},{"x":1,"y":2,"x":3}]}', "/list/1/x"],
  ['{"a/b":{"~":1,"~":2}}', "/a~1b/~0"],
  ['{"a":1,"\\u0061":2}', "/a"],
  ['{"__proto__":1,"__proto__":2}', "/__proto__"],
])("a duplicate field is rejected with its pointer: %s", (text, pointer) => {
  const error = refusal(() => parse(text));
  expect([error.code, error.reason]).toEqual(["request.invalid-json", pointer]);
});

test("colons and braces inside strings do not count as fields", () => {
  expect(parse('{"a:b":"{\\"c\\":1}:"}')).toEqual({ "a:b": '{"c":1}:' });
});

test("32 levels are accepted and 33 are rejected, however many brackets follow", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(() => parse(nested(32))).not.toThrow();
  expect(refusal(() => parse(nested(33))).code).toBe("request.invalid-json");
  expect(refusal(() => parse(nested(200_000))).code).toBe("request.invalid-json");
});

test.each(['"\\ud800"', '{"\\udc00":1}', '["ok","\\ud83d"]'])(
  "a lone surrogate is rejected: %s",
  (text) => {
    expect(refusal(() => parse(text)).code).toBe("request.invalid-json");
  },
);

test("bytes that are not UTF-8 are rejected", () => {
  expect(refusal(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).code).toBe(
    "request.invalid-json",
  );
});

test("__proto__ is an ordinary field and changes no prototype", () => {
  const value = parse('{"__proto__":{"polluted":true}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

test.each(["", "  ", "{", "nul", "{'a':1}", '{"a":1} x', "\ufeff{}"])(
  "a text other than one JSON value is rejected: %j",
  (text) => {
    expect(refusal(() => parse(text)).code).toBe("request.invalid-json");
  },
);

test("more objects and arrays than any body needs are rejected before parsing", () => {
  const lists = (count: number) => `[${"[],".repeat(count)}[]]`;
  expect(() => parse(lists(100_000))).not.toThrow();
  expect(refusal(() => parse(lists(150_000))).code).toBe("request.invalid-json");
});

const list = (length: number, itemOf: (index: number) => string) =>
  `[${Array.from({ length }, (_, index) => itemOf(index)).join(",")}]`;
const object = (length: number, from = 0) =>
  `{${Array.from({ length }, (_, index) => `"name${from + index}":"a value"`).join(",")}}`;

test.each([
  ["more than 150,000 array items", list(160_000, () => "1"), list(140_000, () => "1")],
  [
    "an object of many members in a large body",
    `[${object(20_000)}]`,
    list(1000, () => object(20)),
  ],
  [
    "many different names in a large body",
    list(1000, (index) => object(20, 20 * index)),
    list(1000, (index) => object(20, 20 * (index % 50))),
  ],
])("%s is rejected before it is parsed", (_, rejected, accepted) => {
  expect(() => parse(accepted)).not.toThrow();
  expect(refusal(() => parse(rejected)).message).toMatch(/ more than \d+ /);
});
