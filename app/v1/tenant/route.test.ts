import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSession,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;
let userId: string;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, {
    login: "admin",
    roleIds: ["tenant.admin"],
    password: "four words in a row",
  }));
  admin = (await makeSession(tenant, userId)).headers;
});

const signedIn = async (given: NewUser) => (await makeSignedInUser(tenant, given)).headers;
const policy = (body: unknown, headers = admin) =>
  send("PUT /v1/tenant/security-policy", { headers, body });

describe("the tenant", () => {
  test("200: is renamed, with an audit entry that has both names", async () => {
    const answer = await send("PATCH /v1/tenant", { headers: admin, body: { name: " Nordwind " } });
    expect([answer.status, answer.body.name]).toEqual([200, "Nordwind"]);
    expect((await send("GET /v1/tenant", { headers: admin })).body).toEqual(answer.body);
    const [entry] = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    expect(entry).toMatchObject({
      action: "tenant.updated",
      changes: { name: { before: tenant, after: "Nordwind" } },
    });
  });

  test("400: fields that cannot be changed", async () => {
    const answer = await send("PATCH /v1/tenant", { headers: admin, body: { kind: "production" } });
    expect([answer.status, answer.body.reason]).toEqual([400, "/kind"]);
  });

  test("403: a role at a site, tenant.admin too, does not give access to the tenant", async () => {
    const headers = {
      ...(await signedIn({ sites: { one: ["tenant.admin"] } })),
      "X-Service-Site": "one",
    };
    for (const operation of [
      "GET /v1/tenant",
      "GET /v1/tenant/security-policy",
      "GET /v1/audit/events",
    ])
      expect((await send(operation, { headers })).status, operation).toBe(403);
  });
});

describe("the security policy", () => {
  test("200: shows the current policy, and new sessions and keys follow it", async () => {
    const before = await send("GET /v1/tenant/security-policy", { headers: admin });
    expect(before.body).toMatchObject({
      sessionIdle: "PT30M",
      sessionAbsolute: "PT12H",
      apiKeyMaximumAge: "P366D",
      refreshGrace: "PT10S",
    });
    const set = await policy({
      sessionIdle: "PT300S",
      sessionAbsolute: "PT1H30M",
      apiKeyMaximumAge: "P30D",
    });
    expect(set.body).toMatchObject({
      sessionIdle: "PT5M",
      sessionAbsolute: "PT1H30M",
      apiKeyMaximumAge: "P30D",
      refreshIdle: "P30D",
    });
    const login = await send("POST /v1/user/session-login", {
      headers: { "X-Service-Tenant": tenant },
      body: { tenant, login: "admin", password: "four words in a row" },
    });
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": login.body.sessionId };
    const session = (await send("GET /v1/user/session", { headers })).body;
    const minutes = (text: string) => Math.round((Date.parse(text) - Date.now()) / 60_000);
    expect([minutes(session.idleExpiresAt), minutes(session.expiresAt)]).toEqual([5, 90]);
    const in31Days = new Date(Date.now() + 31 * 86_400_000).toISOString();
    const key = await send("POST /v1/user/profile/api-keys", {
      headers,
      body: { name: "long", validTo: in31Days },
    });
    expect([key.status, key.body.reason]).toEqual([400, "/validTo"]);
  });

  test("200: fields that a PUT omits are reset to their defaults, and the response can be sent back", async () => {
    await policy({ sessionIdle: "PT10M" });
    const back = await policy({});
    expect(back.body.sessionIdle).toBe("PT30M");
    expect((await policy(back.body)).body).toEqual(back.body);
  });

  test.each([
    [{ sessionIdle: "PT0S" }, "/sessionIdle"],
    [{ sessionIdle: "30 minutes" }, "/sessionIdle"],
    [{ sessionIdle: "PT2H", sessionAbsolute: "PT1H" }, "/sessionIdle"],
    [{ apiKeyMaximumAge: "P367D" }, "/apiKeyMaximumAge"],
    [{ apiKeyMaximumAge: "P1DT1H" }, "/apiKeyMaximumAge"],
    [{ accessToken: "PT2H" }, "/accessToken"],
    [{ refreshIdle: "P10D", refreshAbsolute: "P9D" }, "/refreshIdle"],
    [{ refreshGrace: "PT61S" }, "/refreshGrace"],
    [{ password: "P1D" }, "/password"],
  ])("400: %j", async (body, reason) => {
    const answer = await policy(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("403: without tenant.manage", async () => {
    const answer = await policy({}, await signedIn({ roleIds: ["portal.users.mgmt"] }));
    expect([answer.status, answer.body.reason]).toEqual([403, "tenant.manage"]);
  });
});

describe("POST /v1/user/session/switch", () => {
  const change = (to: string, headers = admin) =>
    send("POST /v1/user/session/switch", { headers, body: { tenant: to } });
  const member = async (row: Parameters<typeof makeUser>[1] = {}) => {
    const other = await makeTenant();
    await makeUser(other, {
      roleIds: ["portal.default"],
      ...row,
      row: { userId, homeTenantId: tenant, ...row.row },
    });
    return other;
  };

  test("200: a session there with the roles there, which ends independently of the one here", async () => {
    const other = await member();
    const { status, body } = await change(other);
    expect(status).toBe(200);
    const headers = { "X-Service-Tenant": other, "X-Service-Session-Id": body.sessionId };
    const there = await send("GET /v1/user/session", { headers });
    expect(there.body).toMatchObject({
      tenant: other,
      user: { id: userId },
      roles: { roleIds: ["portal.default"] },
    });
    await send("DELETE /v1/user/session", { headers });
    expect((await send("GET /v1/user/session", { headers: admin })).status).toBe(200);
  });

  test("403: the same response without a membership and for an unknown tenant", async () => {
    const answers = await Promise.all([change(await makeTenant()), change("no-such-tenant")]);
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([403, "user.no-role"]);
  });

  test("403: a user who is locked there, or has no role there", async () => {
    expect((await change(await member({ row: { isLocked: true } }))).body.code).toBe("user.locked");
    expect((await change(await member({ roleIds: [] }))).body.code).toBe("user.no-role");
  });

  test("409: a repeated Idempotency-Key gets the session's id and never its secret", async () => {
    const other = await member();
    const headers = { ...admin, "Idempotency-Key": "switch" };
    const first = await change(other, headers);
    const second = await change(other, headers);
    expect([second.status, second.body.code, second.body.reason]).toEqual([
      409,
      "idempotency.secret-not-replayable",
      first.body.ref,
    ]);
  });
});
