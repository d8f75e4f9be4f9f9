import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { testServer } from "@/lib/http/testing/test-server";
import { checkQuery } from "@/lib/protocol/validation";
import { operations } from "./operations";
import type { DocumentNode as Schema } from "./testing/document-node";

/*
 * From /openapi.json: search and filter texts are often pasted, with white space around them.
 */

const send = testServer();

interface Parameter {
  operation: string;
  name: string;
}

/** Texts that the reader types, limited only in length. Cursors are excluded: the service creates them. */
function freeTexts(document: Schema): Parameter[] {
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).flatMap(([method, { parameters = [] }]) =>
      parameters
        .filter((one: Schema) => one.in === "query" && one.name !== "cursor" && isFree(one.schema))
        .map(({ name }: Schema) => ({ operation: `${method.toUpperCase()} ${path}`, name })),
    ),
  );
}

const isFree = (schema: Schema) =>
  schema.type === "string" &&
  ["enum", "const", "pattern", "format", "minLength", "example"].every((rule) => !(rule in schema));

const querySchema = (operation: string) =>
  operations.find((one) => one.operation === operation)?.query ?? z.never();

let found: Parameter[];

beforeAll(async () => {
  found = freeTexts((await send("GET /openapi.json")).body);
});

test("each filter text is trimmed, and only white space does not filter", () => {
  const faults = found.flatMap(({ operation, name }) => {
    const read = (text: string) => checkQuery(querySchema(operation), { [name]: text });
    const [plain, padded, blank, absent] = [
      read("x"),
      read("\u00a0 x \u3000"),
      read(" \u00a0"),
      checkQuery(querySchema(operation), {}),
    ];
    const isSame = (one: unknown, other: unknown) =>
      JSON.stringify(one) === JSON.stringify(other) && JSON.stringify(one) !== undefined;
    return isSame(plain, padded) && isSame(blank, absent) && !isSame(plain, absent)
      ? []
      : [`${operation} ?${name}`];
  });
  expect(faults).toEqual([]);
  expect(found.length).toBeGreaterThan(15);
  expect(found).toContainEqual({ operation: "GET /v1/user/list", name: "q" });
});

test("a filter without the rule is found", () => {
  const path = { get: { parameters: [{ in: "query", name: "q", schema: { type: "string" } }] } };
  expect(freeTexts({ paths: { "/a": path } } as unknown as Schema)).toHaveLength(1);
  expect(checkQuery(z.object({ q: z.string() }), { q: " x " })).not.toEqual(
    checkQuery(z.object({ q: z.string() }), { q: "x" }),
  );
});
