import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";

const execute = promisify(execFile);
const root = projectRoot();
const origin = "https://gatehouse.test";
const rules = (name: string) => join(root, "lib/catalogue/testing", name);

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-openapi-"));
  file = join(folder, "openapi.json");
  const document = openApi(namedOperations, origin);
  await writeFile(file, JSON.stringify(document, undefined, 1));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a linter; returns its output if it finds errors, else "". */
async function lint(tool: string, ...options: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  try {
    await execute(join(root, "node_modules/.bin", tool), ["lint", file, ...options], {
      cwd: root,
      env,
      maxBuffer: 16 * 1024 * 1024,
    });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

test("Redocly's recommended-strict rules find no error", { timeout: 900_000 }, async () => {
  expect(await lint("redocly", `--config=${rules("redocly.yaml")}`, "--format=stylish")).toBe("");
});

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Every node of the document except examples, with its JSON pointer. */
function nodesOf(value: unknown, pointer = ""): [pointer: string, node: Node][] {
  if (!isNode(value)) return [];
  const below = Object.entries(value).flatMap(([name, inner]) =>
    ["example", "examples", "default", "const", "enum"].includes(name)
      ? []
      : nodesOf(inner, `${pointer}/${name}`),
  );
  return Array.isArray(value) ? below : [[pointer, value], ...below];
}

/** The keywords that each type needs, so that no value is unbounded: one of each list (OWASP API4:2023). */
const boundsOf: Record<string, string[][]> = {
  string: [["maxLength", "enum", "const"]],
  array: [["maxItems"]],
  integer: [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"], ["format"]],
};

const isBounded = (node: Node) =>
  [node.type]
    .flat()
    .every((type) =>
      (boundsOf[String(type)] ?? []).every((names) => names.some((name) => name in node)),
    );

test("every string, array and integer of the document has bounds", () => {
  const document: unknown = JSON.parse(JSON.stringify(openApi(namedOperations, origin)));
  const unbounded = nodesOf(document).filter(([, node]) => !isBounded(node));
  expect(unbounded.map(([pointer]) => pointer)).toEqual([]);
});

test.each([
  ["a string", { type: "string", pattern: "^a$" }],
  ["what may be text", { type: ["string", "null"] }],
  ["an array", { type: "array", items: {} }],
  ["an integer with one end", { type: "integer", format: "int32", minimum: 0 }],
])("finds %s without bounds that was added to a document", (_, planted) => {
  const document = { paths: { "/v1/a": { get: { parameters: [{ schema: planted }] } } } };
  const found = nodesOf(document).flatMap(([, node]) => (isBounded(node) ? [] : [node]));
  expect(found).toEqual([planted]);
});

/** Public documents are cached and not counted. */
const uncounted = [
  ...["/openapi.json", "/docs/collection.json", "/healthz", "/readyz"],
  ...["/.well-known/jwks.json", "/.well-known/oauth-authorization-server"],
];

/** The header names of each response with the state of the caller's rate limit. */
function headersOfResponses(document: Node): [response: string, headers: string[]][] {
  const nodes = new Map(nodesOf(document));
  const resolved = (node: Node): Node =>
    typeof node.$ref === "string" ? resolved(nodes.get(node.$ref.slice(1)) ?? {}) : node;
  return [...nodes].flatMap(([pointer, node]) => {
    const [, path = "", method, status] =
      /^\/paths\/(\/.*)\/(get|put|post|patch|delete)\/responses\/([24]\d\d)$/.exec(pointer) ?? [];
    if (!status || uncounted.includes(path)) return [];
    return [[`${method} ${path} ${status}`, Object.keys(resolved(node).headers ?? {})]];
  });
}

const silentResponses = (document: Node): string[] =>
  headersOfResponses(document).flatMap(([response, headers]) => {
    const asked = response.endsWith(" 429") ? ["RateLimit", "Retry-After"] : ["RateLimit"];
    return asked.every((name) => headers.includes(name)) ? [] : [response];
  });

test("every response has the remaining limit, and a 429 the time to retry", () => {
  const document: Node = JSON.parse(JSON.stringify(openApi(namedOperations, origin)));
  expect(headersOfResponses(document).length).toBeGreaterThan(1000);
  expect(silentResponses(document)).toEqual([]);
});

test("finds a response without its headers that was added to a document, also by reference", () => {
  const RateLimit = {};
  const responses = { "200": { headers: { RateLimit } }, "404": {}, "429": { $ref: "#/limited" } };
  const document = {
    paths: { "/v1/a": { get: { responses } } },
    limited: { headers: { RateLimit } },
  };
  expect(silentResponses(document)).toEqual(["get /v1/a 404", "get /v1/a 429"]);
});

test("credentials are sent in headers, as tokens or keys, over HTTPS", () => {
  const document: {
    components: { securitySchemes: Record<string, { type: string; in?: string; scheme?: string }> };
    servers: { url: string }[];
  } = JSON.parse(JSON.stringify(openApi(namedOperations, origin)));
  const schemes = Object.values(document.components.securitySchemes);
  expect(schemes.map(({ type, in: place = "header" }) => `${type} ${place}`)).toEqual(
    schemes.map(({ type }) => `${type} header`),
  );
  const ofHttp = schemes.filter(({ type }) => type === "http");
  expect(new Set(ofHttp.map(({ scheme }) => scheme))).toEqual(new Set(["bearer"]));
  expect(document.servers.filter(({ url }) => !url.startsWith("https://"))).toEqual([]);
});
