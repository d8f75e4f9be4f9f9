import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import {
  apiKeys,
  auditEvents,
  idempotentAnswers,
  memberships,
  previewRevisions,
  refusedRequests,
  roleAssignments,
  sessions,
  users,
} from "@/lib/database/schema/schema";
import { verifyTrail } from "@/lib/features/audit/verify-trail";
import { testDoor } from "@/lib/http/testing/front-door";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testDoor();
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

/** Everything that the store's tables hold of a tenant, as one text. */
async function everything(tenantId = tenant): Promise<string> {
  const tables = [users, auditEvents, sessions, apiKeys, previewRevisions, refusedRequests];
  const rows = await Promise.all(
    tables.map((table) => db().select().from(table).where(eq(table.tenantId, tenantId))),
  );
  return JSON.stringify(rows.map((all) => all.map((row) => row)));
}

const noteMember = (memberTenantId: string) =>
  db()
    .insert(memberships)
    .values({ tenantId: tenant, userId: person.userId, memberTenantId, notedAt: new Date() });

/** Another tenant of which the person is a member. */
async function memberElsewhere(roleIds = ["portal.default"]): Promise<string> {
  const other = await makeTenant();
  const row = { userId: person.userId, homeTenantId: tenant };
  await makeUser(other, { name, roleIds, row });
  await noteMember(other);
  return other;
}

describe("200", () => {
  test("of the person only the id is left, and the trail still verifies", async () => {
    await makeApiKey(tenant, person.userId, { lastUsedIp: "203.0.113.7" });
    await send("POST /pim/preview", {
      headers: { ...person.headers, "X-Service-Site": "one" },
      body: { key: `home-${person.userId.slice(-6)}`, configuration: {} },
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
    ];
    for (const value of known) expect(await everything(), value).toContain(value);

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
    for (const value of known) expect(await everything(), value).not.toContain(value);
    const { valid, broken } = await verifyTrail({ tenantId: tenant });
    expect([valid, broken]).toEqual([true, undefined]);
    const entry = (
      await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant))
    ).filter(({ action, target }) => action === "user.erased" && target.id === person.userId);
    expect(entry.map(({ actor, changes }) => [actor.id, changes])).toEqual([
      [admin.userId, { erasureReason: { after: "Ticket 4711" } }],
    ]);
  });

  test("keys are revoked, sessions are gone, and the login is free", async () => {
    const { headers } = await makeApiKey(tenant, person.userId);
    await post("deactivate");
    await erase();
    expect((await send("GET /v1/user/profile", { headers })).status).toBe(401);
    expect((await send("GET /v1/user/session", { headers: person.headers })).status).toBe(401);
    const again = await makeUser(tenant, { login: person.login });
    expect(again.login).toBe(person.login);
  });

  test("in every tenant where the person is a member, and its trail verifies too", async () => {
    const other = await makeTenant();
    await makeUser(other, {
      login: "guest-of-theirs",
      name,
      roleIds: ["portal.default"],
      row: { userId: person.userId, homeTenantId: tenant },
    });
    await db().insert(memberships).values({
      tenantId: tenant,
      userId: person.userId,
      memberTenantId: other,
      notedAt: new Date(),
    });
    const { headers } = await makeSession(other, person.userId);
    await send("DELETE /v1/user/session", { headers });
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    const [there] = await db()
      .select()
      .from(users)
      .where(and(eq(users.tenantId, other), eq(users.userId, person.userId)));
    expect(there).toMatchObject({ login: person.userId, name: "Erased user", emailAddress: "" });
    expect(await everything(other)).not.toMatch(/Zimmermann|guest-of-theirs/);
    expect((await verifyTrail({ tenantId: other })).valid).toBe(true);
    const kept = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, other));
    const own = kept.filter(({ actor }) => actor.id === person.userId);
    expect(own.map(({ action, address }) => [action, address])).toEqual([
      ["session.ended", "127.0.0.1"],
    ]);
  });

  test("with an Idempotency-Key: the answer shows the erased user, and no earlier answer is kept that shows the person", async () => {
    const other = await memberElsewhere();
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
    expect(await everything(other)).not.toContain("Zimmermann");
  });

  test("a tenant that was noted but has no row of the person, or does not exist, gets no entry", async () => {
    const there = await makeTenant();
    await noteMember(there);
    await noteMember("t-never-made");
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, there));
    expect(rows).toEqual([]);
  });

  test("of the administrator of a tenant in which nobody else is", async () => {
    const other = await memberElsewhere(["tenant.admin"]);
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    expect(await everything(other)).not.toContain("Zimmermann");
  });

  test("may be repeated", async () => {
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    expect((await erase()).status).toBe(200);
  });
});

describe("403", () => {
  test("without user.manage in the whole tenant", async () => {
    await post("deactivate");
    const atSite = await makePerson({ sites: { one: ["portal.users.mgmt"] } });
    const headers = { ...atSite.headers, "X-Service-Site": "one" };
    expect((await erase(headers)).body.reason).toBe("user.manage");
  });

  test("a manager of users erases neither a tenant.admin nor somebody who is a member elsewhere", async () => {
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

  test("neither oneself, nor a system user, nor somebody whose home is elsewhere", async () => {
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

test("403 for somebody who may do less than the person", async () => {
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

  test("user.last-admin where others would be left without one in another tenant, and nothing is erased", async () => {
    const other = await memberElsewhere(["tenant.admin"]);
    const { userId } = await makeUser(other, { roleIds: ["portal.default"] });
    await post("deactivate");
    expect((await erase()).body.code).toBe("user.last-admin");
    expect(await everything()).toContain(person.login);
    expect(await everything(other)).toContain("Zimmermann");
    await db()
      .insert(roleAssignments)
      .values({ tenantId: other, userId, siteId: "", roleId: "tenant.admin" });
    expect((await erase()).status).toBe(200);
  });

  test("user.erased for reactivating an erased user", async () => {
    await post("deactivate");
    await erase();
    expect((await post("reactivate")).body.code).toBe("user.erased");
  });
});

describe("GET .../export", () => {
  interface Exported {
    type: string;
    data: Record<string, unknown> & { target: { id: string; name?: string }; changes: object };
  }
  const own = async (headers = person.headers) =>
    (await send("GET /v1/user/profile/export", { headers })).body as Exported[];

  test("200: one's own data, of others the ids alone, and no secret", async () => {
    const { apiKey } = await makeApiKey(tenant, person.userId);
    await post("lock", admin.headers, { reason: "lost the laptop" });
    await post("unlock");
    const records = await own();
    const types = new Set(records.map(({ type }) => type));
    expect([...types]).toEqual(["profile", "preferences", "session", "apiKey", "audit"]);
    const audit = records.filter(({ type }) => type === "audit");
    expect(audit.map(({ data }) => data.action)).toEqual(["user.unlocked", "user.locked"]);
    expect(audit.map(({ data }) => data.actor)).toEqual([
      { type: "user", id: admin.userId },
      { type: "user", id: admin.userId },
    ]);
    const text = JSON.stringify(records);
    expect(text).toContain("lost the laptop");
    for (const secret of [apiKey, person.headers["X-Service-Session-Id"] ?? "?", "argon2"])
      expect(text).not.toContain(secret);
  });

  test("200: what one did to others is there without what is personal to them", async () => {
    const options = { headers: admin.headers, body: { name: "Zora Zander" } };
    await send(`PATCH /v1/user/${person.userId}`, options);
    const entry = (await own(admin.headers)).find(({ data }) => data.target?.id === person.userId);
    expect(entry?.data).toMatchObject({ action: "user.updated", changes: {} });
    expect(entry?.data.target).toEqual({ type: "user", id: person.userId });
  });

  test("200 for a manager, recorded; as NDJSON too", async () => {
    const options = { headers: { ...admin.headers, Accept: "application/x-ndjson" } };
    const answer = await send(`GET /v1/user/${person.userId}/export`, options);
    expect(answer.status, answer.text).toBe(200);
    const first = JSON.parse(answer.text.split("\n")[0] ?? "");
    expect([first.type, first.data.id]).toEqual(["profile", person.userId]);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    expect(
      rows.some((row) => row.action === "user.exported" && row.target.id === person.userId),
    ).toBe(true);
  });

  test("403 without audit.read, and for a tenant.admin's data", async () => {
    const manager = await makePerson({ roleIds: ["portal.users.mgmt"] });
    const options = { headers: manager.headers };
    expect((await send(`GET /v1/user/${person.userId}/export`, options)).status).toBe(200);
    const answer = await send(`GET /v1/user/${admin.userId}/export`, options);
    expect([answer.status, answer.body.code]).toEqual([403, "user.admin-only"]);
    const none = await send(`GET /v1/user/${admin.userId}/export`, { headers: person.headers });
    expect(none.body.reason).toBe("user.manage");
  });
});
