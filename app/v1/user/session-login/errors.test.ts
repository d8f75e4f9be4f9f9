import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { rawRequest } from "@/lib/server/testing/raw";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const operation = "POST /v1/user/session-login";
const password = "correct horse battery";
let tenant: string;

beforeAll(async () => {
  tenant = await makeTenant();
  await makeUser(tenant, { login: "Ann", password, roleIds: ["portal.default"] });
});

const login = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(operation, {
    headers: { "X-Service-Tenant": tenant, ...headers },
    body: { login: "Ann", tenant, password, ...body },
  });

describe("400", () => {
  test("the tenants in header and body differ", async () => {
    const answer = await login({ tenant: "another" });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      400,
      "tenant.mismatch",
      "/tenant",
    ]);
  });

  test("a site outside the tenant is reported only after the password", async () => {
    expect((await login({ site: "nowhere" })).body).toMatchObject({
      code: "site.unknown",
      reason: "/site",
    });
    expect((await login({ site: "nowhere", password: "wrong" })).status).toBe(401);
  });

  test("the error for a text that is too short is good English", async () => {
    expect((await login({ login: "" })).body.detail).toBe("/login must have at least 1 character.");
  });

  test("unknown and missing fields, in document order", async () => {
    const answer = await send(operation, {
      headers: { "X-Service-Tenant": tenant },
      body: { extra: 1, login: 7, tenant },
    });
    expect(answer.body).toMatchObject({
      name: "ValidationError",
      code: "request.validation-failed",
      reason: "/extra,/login,/password",
    });
    expect(answer.body.detail).toContain("(and 2 more)");
  });

  test("no tenant header, or one that is not a slug", async () => {
    const missing = await send(operation, { body: {} });
    expect([missing.body.code, missing.body.reason]).toEqual([
      "request.header-missing",
      "X-Service-Tenant",
    ]);
    const invalid = await send(operation, {
      headers: { "X-Service-Tenant": "Not A Slug" },
      body: {},
    });
    expect([invalid.body.code, invalid.body.reason]).toEqual([
      "request.header-invalid",
      "X-Service-Tenant",
    ]);
  });
});

test("404, 405, 406, 413 and 415 are checked in the contract's order", async () => {
  const headers = { "X-Service-Tenant": tenant };
  const statuses = await Promise.all([
    send("POST /v1/nothing", { headers }),
    send("GET /v1/user/session-login", { headers }),
    send(operation, { headers: { ...headers, Accept: "text/html" }, raw: "x" }),
    send(operation, { headers: { ...headers, "Content-Type": "text/plain" }, raw: "x" }),
    send(operation, {
      headers: { ...headers, "Content-Type": "application/json", Accept: "text/html" },
      raw: "x".repeat(9000),
    }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 405, 406, 415, 413]);
  expect(statuses[1]?.headers.get("allow")).toBe("POST, OPTIONS");
});

test.each([9000, 3 * 1024 * 1024])(
  "413 for %i bytes states the operation's limit",
  async (length) => {
    const head = [
      ...["POST /v1/user/session-login HTTP/1.1", "Host: localhost", `X-Service-Tenant: ${tenant}`],
      ...["Content-Type: application/json", `Content-Length: ${length}`, "", ""],
    ];
    const answer = await rawRequest(send.url(), head.join("\r\n"));
    expect([answer.status, JSON.parse(answer.body).reason]).toEqual([413, "8192"]);
  },
);
