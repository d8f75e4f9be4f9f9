import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";
import type { DocumentNode as Any } from "./testing/document-node";

const document: Any = openApi(namedOperations, "https://gatehouse.test");
const operations = Object.entries<Any>(document.paths).flatMap(([path, item]) =>
  Object.entries<Any>(item).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object of the document with its path. */
function* nodes(value: Any, at = "#"): Generator<[at: string, node: Any]> {
  if (typeof value !== "object" || value === null) return;
  yield [at, value];
  for (const [name, member] of Object.entries(value)) yield* nodes(member, `${at}/${name}`);
}

const isObjectSchema = (node: Any) =>
  node.type === "object" && typeof node.properties === "object" && !Array.isArray(node.properties);

/** The schemas of requests, or of responses: those named there and all that they refer to. */
function reachable(roots: Any[]): Set<string> {
  const found = new Set<string>();
  const visit = (value: Any) => {
    for (const [, node] of nodes(value)) {
      const [, name] = /^#\/components\/schemas\/(.+)$/.exec(node.$ref ?? "") ?? [];
      if (!name || found.has(name)) continue;
      found.add(name);
      visit(document.components.schemas[name]);
    }
  };
  for (const root of roots) visit(root);
  return found;
}

describe("openapi.json", () => {
  test("names each operation once, by an identifier", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(["listUsers", "createApiKey", "countCalls"]));
  });

  test("resolves every reference", () => {
    for (const [at, { $ref }] of nodes(document)) {
      if (typeof $ref !== "string") continue;
      const target = $ref.slice(2).split("/");
      expect(
        target.reduce((node, name) => node?.[name], document),
        `${at} -> ${$ref}`,
      ).toBeDefined();
    }
  });

  test("gives every request and response a named schema", () => {
    const bodies = operations.flatMap(({ operation }) => [
      ...Object.entries<Any>(operation.requestBody?.content ?? {}),
      ...Object.values<Any>(operation.responses).flatMap(({ content = {} }) =>
        Object.entries<Any>(content),
      ),
    ]);
    const unnamed = bodies.filter(
      ([type, { schema }]) =>
        /\bjson$/.test(type) &&
        !schema.$ref &&
        !schema.items?.$ref &&
        schema.additionalProperties !== true,
    );
    expect(unnamed).toEqual([]);
  });

  test("describes every operation, tag, parameter, header and field", () => {
    const silent = [...nodes(document)].flatMap(([at, node]) => [
      ...(isObjectSchema(node)
        ? Object.entries<Any>(node.properties)
            .filter(([, property]) => !property.description && !property.$ref)
            .map(([name]) => `${at}/properties/${name}`)
        : []),
      ...(typeof node.in === "string" && !node.description ? [at] : []),
    ]);
    expect(silent).toEqual([]);
    for (const { operation } of operations)
      expect(operation.description.length).toBeGreaterThan(20);
    const tags = document.tags.map(({ name }: Any) => name);
    for (const { operation } of operations) expect(tags).toContain(operation.tags[0]);
    for (const tag of document.tags) expect(tag.description.length).toBeGreaterThan(20);
  });

  test("request objects are closed and response objects are open", () => {
    const requests = operations.flatMap(({ operation }) => operation.requestBody ?? []);
    const answers = operations.map(({ operation }) => operation.responses);
    const { schemas } = document.components;
    const objectsOf = (roots: Any[]) =>
      [...reachable(roots)].flatMap((name) =>
        [...nodes(schemas[name], name)].filter(([, node]) => isObjectSchema(node)),
      );
    const open = objectsOf(requests).filter(([, node]) => node.additionalProperties !== false);
    const closed = objectsOf(answers).filter(([, node]) => node.additionalProperties === false);
    // OpenID Connect Back-Channel Logout 1.0, 2.5: unknown fields are ignored.
    expect(open.map(([at]) => at)).toEqual(["LogoutForm"]);
    expect(closed.map(([at]) => at)).toEqual([]);
  });

  test("no number or boolean is validated as text", () => {
    const mixed = [...nodes(document)].filter(
      ([, { type, ...node }]) =>
        ["integer", "number", "boolean", "object"].includes(type) &&
        (node.pattern !== undefined ||
          node.maxLength !== undefined ||
          node.minLength !== undefined),
    );
    expect(mixed).toEqual([]);
    expect(document.components.schemas.PreviewConfiguration).toMatchObject({
      type: "object",
      additionalProperties: true,
    });
  });

  test("read-only fields are only in responses", () => {
    const { ProfilePatch, CustomerProfile } = document.components.schemas;
    for (const name of ["id", "login", "registrationDate", "siteIds"]) {
      expect(ProfilePatch.properties).not.toHaveProperty(name);
      expect(CustomerProfile.properties).toHaveProperty(name);
    }
  });

  test("lists statuses, codes and headers that only some operations have", () => {
    const roles = document.paths["/v1/user/{id}/roles"];
    expect(Object.keys(roles.put.responses)).toEqual(expect.arrayContaining(["412", "428", "503"]));
    expect(roles.put["x-error-codes"]).toMatchObject({
      412: ["precondition.failed"],
      428: ["precondition.required"],
    });
    expect(Object.keys(roles.get.responses)).toContain("304");
    expect(roles.get.responses[200].headers).toHaveProperty("ETag");
    const list = document.paths["/v1/user/list"].get;
    expect(list.responses[200].headers).toMatchObject({
      Link: { $ref: "#/components/headers/Link" },
      RateLimit: { $ref: "#/components/headers/RateLimit" },
    });
    expect(document.components.responses.TooManyRequests.headers).toHaveProperty("Retry-After");
    const preview = document.paths["/pim/preview/{key}/configuration"].put.responses[200];
    expect(Object.keys(preview.headers)).toEqual(expect.arrayContaining(["Deprecation", "Sunset"]));
    expect(document.components.responses.NotFound.content).toHaveProperty([
      "application/problem+json",
    ]);
    expect(document.paths["/v1/tenant/sites/{id}"].patch.requestBody.content).toHaveProperty([
      "application/merge-patch+json",
    ]);
    expect(document.servers[0].url).toBe("https://gatehouse.test");
  });

  test("has at most 48.3 KB compressed with Brotli, and 74.3 KB with gzip", () => {
    const text = JSON.stringify(document);
    expect(gzipSync(text).length).toBeLessThanOrEqual(74_300);
    expect(brotliCompressSync(text).length).toBeLessThanOrEqual(48_300);
  });
});
