import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  idempotentAnswers,
  keyHandOffs,
  memberships,
  roleAssignments,
  users,
} from "@/lib/database/schema/schema";
import { verifyTrail } from "@/lib/features/audit/verify-trail";
import { memberElsewhere, personalRowsOf } from "@/lib/features/users/testing/erasure";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let admin: { userId: string; headers: Record<string, string> };
let person: { userId: string; login: string; headers: Record<string, string> };

const name = "Zora Zimmermann";

async function makePerson(given: Parameters<typeof makeUser>[1] = {}, where = tenant) {
  const { userId, login } = await makeUser(where, { name, ...given });
  const { headers } = await makeSession(where, userId);
  return { userId, login, headers };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  admin = await makePerson({ roleIds: ["tenant.admin"], name: "Ada Example" });
});
beforeEach(async () => {
  person = await makePerson({ roleIds: ["portal.pim.mgmt"], password: "four words in a row" });
});

const post = (verb: string, headers = admin.headers, body?: unknown) =>
  send(`POST /v1/user/${person.userId}/${verb}`, { headers, ...(body ? { body } : {}) });
const erase = (headers = admin.headers, body: unknown = { reason: "Ticket 4711" }) =>
  post("erase", headers, body);

const home = () => ({ tenantId: tenant, userId: person.userId, name });

describe("200", () => {
  test("only the user's id is left, and the audit trail still verifies", async () => {
    await makeApiKey(tenant, person.userId, { lastUsedIp: "203.0.113.7" });
    const headers = { ...person.headers, "X-Service-Site": "one" };
    const key = `home-${person.userId.slice(-6)}`;
    await send("POST /pim/preview", { headers, body: { key, configuration: {} } });
    const share = { validTo: new Date(Date.now() + 3_600_000).toISOString(), comment: "For Zuse" };
    const shared = await send(`POST /pim/preview/${key}/shares`, { headers, body: share });
    expect(shared.status, shared.text).toBe(201);
    await send("POST /v1/views", {
      headers: person.headers,
      body: { page: "users", name: "Zimmermann", query: "q=Zimmermann", shared: true },
    });
    const change = { name: "Zora Zimmermann-Zander", emailAddress: "zora@example.org" };
    const options = { headers: admin.headers, body: change };
    expect((await send(`PATCH /v1/user/${person.userId}`, options)).status).toBe(200);
    await post("lock", admin.headers, { reason: "Zora lost the laptop" });
    expect((await post("deactivate")).status).toBe(200);
    const known = [
      person.login,
      "Zimmermann",
      "zora@example.org",
      "203.0.113.7",
      "lost the laptop",
      "For Zuse",
    ];
    for (const value of known) expect(await personalRowsOf(tenant), value).toContain(value);

    const answer = await erase();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      id: person.userId,
      login: person.userId,
      name: "Erased user",
      emailAddress: "",
      state: "deactivated",
      erasedAt: expect.any(String),
    });
    for (const value of known) expect(await personalRowsOf(tenant), value).not.toContain(value);
    const { valid, broken } = await verifyTrail({ tenantId: tenant });
    expect([valid, broken]).toEqual([true, undefined]);
    const entry = (
      await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant))
    ).filter(({ action, target }) => action === "user.erased" && target.id === person.userId);
    expect(entry.map(({ actor, changes }) => [actor.id, changes])).toEqual([
      [admin.userId, { erasureReason: { after: "Ticket 4711" } }],
    ]);
  });

  test("keys are revoked, sessions are deleted, and the login is free", async () => {
    const { headers } = await makeApiKey(tenant, person.userId);
    await post("deactivate");
    await erase();
    expect((await send("GET /v1/user/profile", { headers })).status).toBe(401);
    expect((await send("GET /v1/user/session", { headers: person.headers })).status).toBe(401);
    const again = await makeUser(tenant, { login: person.login });
    expect(again.login).toBe(person.login);
  });

  test("with an Idempotency-Key: the response shows the erased user, and no earlier stored response shows personal data", async () => {
    const other = await memberElsewhere(home());
    const once = { ...admin.headers, "Idempotency-Key": `once-${person.userId}` };
    expect((await post("deactivate", once)).body.name).toBe(name);
    const answer = await erase(once);
    expect(answer.body).toMatchObject({ login: person.userId, name: "Erased user" });
    const again = await erase(once);
    expect([again.headers.get("idempotency-replayed"), again.body]).toEqual(["true", answer.body]);
    for (const tenantId of [tenant, other]) {
      const kept = await db()
        .select()
        .from(idempotentAnswers)
        .where(eq(idempotentAnswers.tenantId, tenantId));
      expect(JSON.stringify(kept)).not.toContain(person.login);
    }
    expect(await personalRowsOf(other)).not.toContain("Zimmermann");
  });

  test("may be repeated", async () => {
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    expect((await erase()).status).toBe(200);
  });

  test("links to secrets of keys that the user created are invalid", async () => {
    person = await makePerson({ roleIds: ["portal.users.mgmt"] });
    const row = { kind: "service" as const };
    const service = await makeUser(tenant, { roleIds: ["portal.default"], row });
    const { apiKey, apiKeyId } = await makeApiKey(tenant, service.userId);
    const secretHash = sha256(apiKey).toString("hex");
    const created = await send(`POST /v1/user/api-keys/${apiKeyId}/hand-offs`, {
      headers: person.headers,
      body: { sealed: "x".repeat(108), secretHash },
    });
    expect(created.status, created.text).toBe(201);
    expect((await post("deactivate")).status).toBe(200);
    expect((await erase()).status).toBe(200);
    const headers = { "X-Service-Tenant": tenant };
    const { token } = created.body;
    const opened = await send("POST /v1/user/api-keys/hand-offs/open", {
      headers,
      body: { token },
    });
    expect([opened.status, opened.body.code]).toEqual([404, "api-key.hand-off-not-found"]);
    expect(await db().$count(keyHandOffs, eq(keyHandOffs.tenantId, tenant))).toBe(0);
  });
});

describe("403", () => {
  test("without user.manage in the whole tenant", async () => {
    await post("deactivate");
    const atSite = await makePerson({ sites: { one: ["portal.users.mgmt"] } });
    const headers = { ...atSite.headers, "X-Service-Site": "one" };
    expect((await erase(headers)).body.reason).toBe("user.manage");
  });

  test("a manager of users erases neither a tenant.admin nor a user who is a member elsewhere", async () => {
    const manager = await makePerson({ roleIds: ["portal.users.mgmt"] });
    person = await makePerson({ roleIds: ["portal.default"] });
    const elsewhere = await makeTenant();
    const row = { tenantId: tenant, userId: person.userId, notedAt: new Date() };
    await db()
      .insert(memberships)
      .values({ ...row, memberTenantId: elsewhere });
    await post("deactivate");
    expect((await erase(manager.headers)).body.code).toBe("user.admin-only");
    person = await makePerson({ roleIds: ["tenant.admin"] });
    await post("deactivate");
    expect((await erase(manager.headers)).body.code).toBe("user.admin-only");
  });

  test("neither oneself, nor a system user, nor a user whose home is elsewhere", async () => {
    const self = { ...admin, login: "" };
    person = self;
    expect((await erase()).body.code).toBe("user.oneself");
    person = await makePerson({ row: { isSystem: true } });
    expect((await erase()).body.code).toBe("user.system");
    person = await makePerson({ row: { homeTenantId: await makeTenant(), state: "deactivated" } });
    expect((await erase()).body.code).toBe("user.other-home");
  });
});

test("404 for a user of another tenant", async () => {
  person = await makePerson({ row: { state: "deactivated" } }, await makeTenant());
  expect((await erase()).status).toBe(404);
});

test("403 for a caller who has fewer permissions than the user", async () => {
  const manager = await makePerson({ roleIds: ["portal.users.mgmt"] });
  await post("deactivate");
  const answer = await erase(manager.headers);
  expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
    403,
    "auth.permission-missing",
    "preview.configuration.read",
  ]);
});

describe("409", () => {
  test("user.not-deactivated for an active user, and nothing changes", async () => {
    expect((await erase()).body.code).toBe("user.not-deactivated");
    expect((await send("GET /v1/user/profile", { headers: person.headers })).body.name).toBe(name);
  });

  test("user.last-admin where another tenant would have no administrator left, and nothing is erased", async () => {
    const other = await memberElsewhere(home(), ["tenant.admin"]);
    const { userId } = await makeUser(other, { roleIds: ["portal.default"] });
    expect((await post("deactivate")).body.code).toBe("user.last-admin");
    expect((await erase()).body.code).toBe("user.last-admin");
    // A state that an earlier release could leave.
    const atHome = and(eq(users.tenantId, tenant), eq(users.userId, person.userId));
    await db().update(users).set({ state: "deactivated" }).where(atHome);
    expect((await erase()).body.code).toBe("user.last-admin");
    expect(await personalRowsOf(tenant)).toContain(person.login);
    expect(await personalRowsOf(other)).toContain("Zimmermann");
    await db()
      .insert(roleAssignments)
      .values({ tenantId: other, userId, siteId: "", roleId: "tenant.admin" });
    expect((await erase()).status).toBe(200);
  });

  test("user.erased for every change of an erased user, so that no personal data is added again", async () => {
    await post("deactivate");
    await erase();
    const path = `/v1/user/${person.userId}`;
    const { headers } = admin;
    const roles = { roleIds: ["portal.pim.mgmt"], sites: {} };
    const etag = (await send(`GET ${path}/roles`, { headers })).headers.get("etag") ?? "";
    const answers = [
      await send(`PATCH ${path}`, { headers, body: { name: person.login } }),
      await send(`PUT ${path}/roles`, { headers: { ...headers, "If-Match": etag }, body: roles }),
      await post("lock", headers, { reason: person.login }),
      await post("unlock"),
      await post("password-reset"),
      await post("deactivate"),
      await post("reactivate"),
    ];
    expect(answers.map(({ status, body: { code } }) => `${status} ${code}`)).toEqual(
      answers.map(() => "409 user.erased"),
    );
    expect(await personalRowsOf(tenant)).not.toContain(person.login);
  });
});
