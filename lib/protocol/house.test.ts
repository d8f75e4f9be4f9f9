import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApi } from "@/lib/catalogue/openapi";
import { namedOperations, operations } from "@/lib/catalogue/operations";
import { projectRoot } from "@/lib/database/data-dir";
import type { Handler } from "@/lib/http/route";
import { loadRoutes, type Route } from "@/lib/server/routes";
import { methodOf, pathOf } from "./endpoint";
import { errorCodes } from "./error-codes";

const root = projectRoot();

async function routesOf(): Promise<Route[]> {
  const table = await loadRoutes(join(root, "app"), (file) => import(/* @vite-ignore */ file));
  const found: Route[] = [];
  const visit = (node: typeof table.root) => {
    if (node.route) found.push(node.route);
    for (const next of [...node.fixed.values(), ...(node.one ? [node.one] : [])]) visit(next);
  };
  visit(table.root);
  return found;
}

test("every declared operation is bound at its own path and method, and every bound handler is a declared operation", async () => {
  const bound = (await routesOf()).flatMap(({ template, handlers }) =>
    Object.entries(handlers).flatMap(([method, handler]) => {
      const { endpoint } = handler as Partial<Handler>;
      if (!endpoint || method === "HEAD") return [];
      expect(`${methodOf(endpoint)} ${pathOf(endpoint)}`, template).toBe(`${method} ${template}`);
      return [endpoint.operation];
    }),
  );
  expect(bound.sort()).toEqual(operations.map((declared) => declared.operation).sort());
});

test("405: every path lists in Allow exactly the methods that it supports", async () => {
  for (const { template, handlers } of await routesOf()) {
    if (template.includes("...") || template.includes("path}")) continue;
    const request = new Request(`http://localhost${template}`, {
      method: "PROPFIND",
      headers: { "X-Service-Tenant": "a", "X-Service-Site": "b" },
    });
    const options = await handlers.OPTIONS(request);
    const allow = options.headers.get("allow")?.split(", ") ?? [];
    const refusing = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (method) => !allow.includes(method),
    );
    for (const method of refusing) {
      const answer = await handlers[method as "GET"](request);
      expect([answer.status, answer.headers.get("allow")], `${method} ${template}`).toEqual([
        405,
        allow.join(", "),
      ]);
    }
  }
});

test("OpenAPI describes every operation and resolves every reference", () => {
  const document = openApi(namedOperations, "https://gatehouse.test");
  const text = JSON.stringify(document);
  const { schemas } = document.components as { schemas: object };
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(schemas).toHaveProperty([name ?? ""]);
  expect(text).not.toContain("$defs");
  const paths = document.paths as Record<string, Record<string, unknown>>;
  for (const declared of operations)
    expect(paths[pathOf(declared)]).toHaveProperty([methodOf(declared).toLowerCase()]);
});

test("OpenAPI has the names of the founding document, each operation once, and the documents too", () => {
  const document = openApi(namedOperations, "https://gatehouse.test");
  const { schemas, securitySchemes } = document.components as {
    schemas: object;
    securitySchemes: object;
  };
  expect(Object.keys(securitySchemes)).toContain("NoChannelPortalAccess");
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      ...[
        "User",
        "TenantRoles",
        "ErrorResponse",
        "ValidationErrorResponse",
        "PreviewConfiguration",
      ],
      ...[
        "SerieValues",
        "AggregationGroup",
        "AggregationPeriod",
        "CustomerProfile",
        "Address",
        "Name",
        "Card",
        "EmailAddress",
      ],
    ]),
  );
  const paths = document.paths as Record<
    string,
    Record<string, { operationId: string; parameters?: { name: string }[] }>
  >;
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["/openapi.json", "/.well-known/jwks.json", "/healthz", "/readyz"]),
  );
  const period = paths["/v1/api-metrics/metrics/timeserie-counts"]?.get?.parameters?.find(
    ({ name }) => name === "period",
  );
  expect(period).toMatchObject({ style: "deepObject", explode: true });
});

test("OpenAPI lists the statuses of credentials in a body, of other origins and of repeated keys, and marks optional bodies", () => {
  type Operation = { responses: object; requestBody?: { required: boolean } };
  const paths = openApi(namedOperations, "https://gatehouse.test").paths as Record<
    string,
    Record<string, Operation>
  >;
  const of = (path: string, method = "post") => Object.keys(paths[path]?.[method]?.responses ?? {});
  expect(of("/v1/customer/login/refresh-token")).toEqual(expect.arrayContaining(["401", "403"]));
  expect(of("/v1/customer/login/anonymous-token")).toContain("403");
  expect(of("/v1/signup")).not.toContain("401");
  expect([
    of("/v1/tenant/sites").includes("422"),
    of("/v1/user/session-login").includes("422"),
  ]).toEqual([true, false]);
  expect(paths["/v1/customer/logout"]?.post?.requestBody?.required).toBe(false);
});

test("every operation has the same fields in the same order, because the engine reads one shape quickly", () => {
  const shapes = (all: object[]) => [...new Set(all.map((one) => Object.keys(one).join()))];
  expect(shapes(operations)).toHaveLength(1);
  expect(shapes(operations.map(({ limits }) => limits))).toHaveLength(1);
});

test("error codes are area.kebab-case", () => {
  for (const code of Object.keys(errorCodes))
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
});

test("dependencies are newer than the versions with known vulnerabilities", async () => {
  const floors = { next: "16.2.6", react: "19.2.6", "next-auth": "4.24.12" };
  for (const [name, floor] of Object.entries(floors)) {
    const { version } = JSON.parse(
      await readFile(join(root, "node_modules", name, "package.json"), "utf8"),
    );
    expect(
      version.localeCompare(floor, undefined, { numeric: true }),
      `${name} ${version}`,
    ).toBeGreaterThanOrEqual(0);
  }
});
