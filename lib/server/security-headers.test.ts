import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { sonnerStyleHash } from "./page-policy";
import type { Pages } from "./pages";
import { loadRoutes } from "./routes";
import { type RunningServer, startServer } from "./serve";
import { connectRaw, get } from "./testing/raw";

let server: RunningServer;
let key: Record<string, string>;

beforeAll(async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  key = { ...(await makeApiKey(tenant, userId)).headers, "X-Service-Site": "one" };
  const routes = await loadRoutes(
    join(projectRoot(), "app"),
    (file) => import(/* @vite-ignore */ file),
  );
  const pages: Pages = {
    request: (_, res) => {
      res.writeHead(200, { "Content-Type": "text/html" });
      res.end("a page");
    },
  };
  server = await startServer({ port: 0, routes, pages });
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => server.close());

async function headersOf(operation: string, more: Record<string, string> = {}) {
  const [method = "GET", path = "/"] = operation.split(" ");
  const response = await fetch(`${server.url}${path}`, { method, headers: { ...key, ...more } });
  await response.arrayBuffer();
  return response.headers;
}

describe("every response may be used by this origin only, and as the type it names", () => {
  test.each([
    "GET /v1/user/list",
    "GET /v1/user/nothing",
    "DELETE /v1/user/list",
    "OPTIONS /v1/user/list",
    "HEAD /v1/user/list",
    "POST /v1/signup",
    "GET /v1/api-metrics/metadata",
    "GET /v1/api-metrics/events",
    "GET /v1/audit/export",
    "GET /pim/preview",
    "GET /pim/preview/none",
    "GET /openapi.json",
    "GET /.well-known/jwks.json",
    "GET /.well-known/nothing",
    "GET /healthz",
    "GET /readyz",
    "GET /internal/metrics",
    "GET /sign-in",
    "GET /_next/static/chunks/a.js",
    "GET /_next/image",
  ])("%s", async (operation) => {
    const headers = await headersOf(operation);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test("a request that could not be read", async () => {
    const connection = connectRaw(server.url);
    connection.send("NONSENSE\r\n\r\n");
    const { status, headers } = await connection.answer();
    expect(status).toBe(400);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    connection.end();
  });
});

test.each([
  "GET /v1/user/list",
  "GET /v1/nothing",
  "GET /healthz",
  "GET /sign-in",
  "GET /openapi.json",
])("%s requires HTTPS for the whole host if PUBLIC_URL has it", async (operation) => {
  vi.stubEnv("PUBLIC_URL", "https://gatehouse.example");
  const headers = await headersOf(operation);
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
});

test("404 in JSON: Next's resizing of images is off", async () => {
  const response = await fetch(`${server.url}/_next/image?url=%2Ficon.svg&w=64&q=75`);
  expect((await response.json()).code).toBe("request.not-found");
  expect(response.status).toBe(404);
});

describe("the content policy of a page", () => {
  const policy = async () => {
    const text = (await headersOf("GET /sign-in")).get("content-security-policy") ?? "";
    return new Map(
      text.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]),
    );
  };

  test("allows style sheets by nonce or hash, and no plugin, base or foreign form", async () => {
    const directives = await policy();
    expect(directives.get("style-src")).toMatch(
      /^'self' 'nonce-[A-Za-z0-9+/=]{24}' 'sha256-[A-Za-z0-9+/=]{44}' 'sha256-[A-Za-z0-9+/=]{44}'$/,
    );
    expect(directives.get("script-src")).not.toContain("unsafe");
    expect(directives.get("object-src")).toBe("'none'");
    expect(directives.get("base-uri")).toBe("'none'");
    expect(directives.get("form-action")).toBe("'self'");
    expect(directives.get("frame-ancestors")).toBe("'none'");
  });

  test("frames pages of this machine only if the product itself runs there", async () => {
    expect((await policy()).get("frame-src")).toContain("http://localhost:*");
    vi.stubEnv("PUBLIC_URL", "https://gatehouse.example");
    expect((await policy()).get("frame-src")).toBe("'self' https:");
    vi.stubEnv("PUBLIC_URL", "http://localhost.evil.example");
    expect((await policy()).get("frame-src")).toBe("'self' https:");
  });

  test("has the hash of the style sheet that the installed sonner adds", () => {
    const file = join(projectRoot(), "node_modules", "sonner", "dist", "index.mjs");
    const [, sheet = '""'] =
      /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(readFileSync(file, "utf8")) ?? [];
    const hash = createHash("sha256").update(JSON.parse(sheet)).digest("base64");
    expect(sonnerStyleHash).toBe(`sha256-${hash}`);
  });
});

describe("GET /internal/metrics", () => {
  test.each([
    "Forwarded: for=198.51.100.7",
    "Via: 1.1 proxy",
    "X-Forwarded-For: 198.51.100.7",
    "X-Forwarded-Proto: https",
    "X-Real-IP: 198.51.100.7",
  ])("404: forwarded with %s", async (header) => {
    const connection = connectRaw(server.url);
    connection.send(get("/internal/metrics", header));
    expect((await connection.answer()).status).toBe(404);
    connection.end();
  });

  test("404: requested with a public Host, as forwarded by a proxy without such headers", async () => {
    const connection = connectRaw(server.url);
    connection.send("GET /internal/metrics HTTP/1.1\r\nHost: gatehouse.example\r\n\r\n");
    expect((await connection.answer()).status).toBe(404);
    connection.end();
  });
});

describe("GET /.well-known/security.txt", () => {
  const read = () => fetch(`${server.url}/.well-known/security.txt`);

  test("200: the contacts, and an end within a year", async () => {
    vi.stubEnv("SECURITY_CONTACT", "security@example.com, https://example.com/report");
    const response = await read();
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toContain(
      "Contact: mailto:security@example.com\nContact: https://example.com/report\n",
    );
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
    expect(expires).toBeGreaterThan(Date.now() + 30 * 86_400_000);
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  });

  test.each([undefined, ""])("404 in JSON: the setting is %j", async (setting) => {
    vi.stubEnv("SECURITY_CONTACT", setting);
    const response = await read();
    expect((await response.json()).code).toBe("request.not-found");
    expect(response.status).toBe(404);
  });
});
