import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/catalogue/operations";
import {
  boundedText,
  Duration,
  EmailAddress,
  Instant,
  Label,
  listOf,
} from "@/lib/protocol/formats";

type Json = Record<string, unknown>;

/** Stored as received: only its own checks, which have bounds, read it. */
const opaque = new Set(["PreviewConfiguration"]);

const hasNoLoop = (pattern: unknown) =>
  typeof pattern === "string" && !/(?<!\\)(?:[*+]|\{\d+,\})/.test(pattern);

/** The places where a schema accepts a text, list or map of any size. */
function unbounded(schema: unknown, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema))
    return schema.flatMap((one, index) => unbounded(one, `${at}/${index}`));
  const one = schema as Json;
  if (opaque.has(String(one.id))) return [];
  const isText = one.type === "string" && one.enum === undefined && one.const === undefined;
  const isLoose =
    (isText && one.maxLength === undefined && !hasNoLoop(one.pattern)) ||
    (one.type === "array" && one.maxItems === undefined) ||
    (typeof one.additionalProperties === "object" && one.maxProperties === undefined);
  const deeper = Object.entries(one).filter(
    ([name]) => !["example", "enum", "required", "propertyNames"].includes(name),
  );
  return [
    ...(isLoose ? [at] : []),
    ...deeper.flatMap(([name, value]) => unbounded(value, `${at}/${name}`)),
  ];
}

test("every text, list and map of every body has a maximum size", () => {
  const loose = operations.flatMap(({ operation, body }) =>
    body ? unbounded(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }), operation) : [],
  );
  expect(loose).toEqual([]);
});

test("a list that is too long is rejected before its items are checked", () => {
  let seen = 0;
  const item = z.string().refine(() => {
    seen += 1;
    return true;
  });
  const parsed = listOf(item, 3).safeParse(["a", "b", "c", "d"]);
  expect([parsed.success, seen]).toEqual([false, 0]);
  expect(parsed.error?.issues).toMatchObject([{ code: "too_big", origin: "array", maximum: 3 }]);
  expect(listOf(item, 3, 1).safeParse([]).error?.issues).toMatchObject([{ code: "too_small" }]);
  expect(listOf(item, 3).parse(["a"])).toEqual(["a"]);
});

test("a text that is too long is not checked or transformed any further", () => {
  let seen = 0;
  const text = boundedText(3).refine(() => {
    seen += 1;
    return true;
  });
  expect([text.safeParse("abcd").success, seen]).toEqual([false, 0]);
  const long = "a".repeat(250_000);
  for (const schema of [Instant, Duration, Label, EmailAddress])
    expect(schema.safeParse(long).error?.issues).toHaveLength(1);
});

test("a duration is at most a century", () => {
  expect(Duration.parse("P36525D")).toBe(3_155_760_000);
  for (const text of [
    "P36526D",
    "P99999999999D",
    "P9999999999999999D",
    "PT9999999999999999999999S",
  ])
    expect(Duration.safeParse(text).success, text).toBe(false);
});
