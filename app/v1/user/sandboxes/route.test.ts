import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, memberships, tenants } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const newId = () => `t-${randomBytes(6).toString("hex")}`;

/** The limit is 5 an hour: enabled only in the test about it. */
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  delete process.env.RATE_LIMITS;
});

async function signedIn(given: Parameters<typeof makeUser>[1] = {}) {
  const tenant = await makeTenant();
  const { userId, login } = await makeUser(tenant, {
    roleIds: ["portal.users.mgmt"],
    name: "Ada Example",
    ...given,
  });
  return { tenant, userId, login, ...(await makeSession(tenant, userId)) };
}

type Headers = Record<string, string>;
const make = (headers: Headers, body: unknown) =>
  send("POST /v1/user/sandboxes", { headers, body });
const ownTenants = (headers: Headers, query = "") =>
  send(`GET /v1/user/tenants${query}`, { headers });

async function switchTo(headers: Headers, tenant: string): Promise<Headers> {
  const { body } = await send("POST /v1/user/session/switch", { headers, body: { tenant } });
  return { "X-Service-Tenant": tenant, "X-Service-Session-Id": body.sessionId };
}

const trailOf = (tenantId: string) =>
  db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenantId))
    .orderBy(asc(auditEvents.seq));

test("409 for an id that another user takes concurrently: this user is not a member of that tenant", async () => {
  const ada = await signedIn();
  const id = newId();
  const notes = () => db().select().from(memberships).where(eq(memberships.tenantId, ada.tenant));
  let made: ReturnType<typeof make> | undefined;
  await transaction(async (tx) => {
    await tx.insert(tenants).values({
      ...{ tenantId: id, name: "Theirs", kind: "sandbox" as const, createdAt: new Date() },
      ...{ policy: {}, auditSeq: 0, auditHead: Buffer.alloc(32), accessVersion: 0 },
    });
    made = make(ada.headers, { tenant: id, site: "shop", name: "Mine" });
    await expect.poll(notes).toHaveLength(1);
  });
  expect((await made)?.status).toBe(409);
  expect(await notes()).toEqual([]);
});

describe("POST /v1/user/sandboxes", () => {
  test("201: a sandbox with the caller as administrator, reached by a switch; the home tenant does not change", async () => {
    const ada = await signedIn();
    const id = newId();
    const made = await make(ada.headers, { tenant: id, site: "shop", name: "Ada's second" });
    expect([made.status, made.body, made.headers.get("location")]).toEqual([
      201,
      { tenant: id, site: "shop", name: "Ada's second" },
      "/v1/tenant",
    ]);
    const there = await switchTo(ada.headers, id);
    const [session, tenant, sites, profile] = await Promise.all(
      ["session", "tenant", "sites", "profile"].map((name) =>
        send(
          {
            session: "GET /v1/user/session",
            tenant: "GET /v1/tenant",
            sites: "GET /v1/tenant/sites",
            profile: "GET /v1/user/profile",
          }[name] ?? "",
          {
            headers: there,
          },
        ),
      ),
    );
    expect(session?.body).toMatchObject({
      user: { id: ada.userId, login: ada.login, name: "Ada Example" },
      roles: { roleIds: ["tenant.admin"] },
    });
    expect(tenant?.body).toMatchObject({ id, name: "Ada's second", kind: "sandbox" });
    expect(sites?.body).toMatchObject([{ id: "shop" }]);
    expect(profile?.body).toMatchObject({ tenant: ada.tenant });
  });

  test("both audit trails record it; the home tenant's does not say which tenant", async () => {
    const ada = await signedIn();
    const id = newId();
    await make(ada.headers, { tenant: id, site: "shop", name: "Second" });
    const [home, there] = await Promise.all([trailOf(ada.tenant), trailOf(id)]);
    expect(home.map(({ action, actor }) => [action, actor.id])).toEqual([
      ["user.membership-noted", ada.userId],
    ]);
    expect(JSON.stringify(home)).not.toContain(id);
    expect(there.map(({ action, actor }) => [action, actor.id])).toEqual([
      ["tenant.created", ada.userId],
      ["user.member-added", ada.userId],
    ]);
  });

  test("401: never by a key", async () => {
    const { tenant, userId } = await signedIn();
    const { headers } = await makeApiKey(tenant, userId);
    expect((await make(headers, { tenant: newId(), site: "shop", name: "Second" })).status).toBe(
      401,
    );
  });

  test("409: an id in use, or reserved for the service, and nothing is created", async () => {
    const ada = await signedIn();
    for (const tenant of [await makeTenant(), "demo", "fix-mine"]) {
      const { status, body } = await make(ada.headers, { tenant, site: "shop", name: "Second" });
      expect([status, body.code, body.reason]).toEqual([409, "tenant.id-taken", "/tenant"]);
    }
    expect((await ownTenants(ada.headers)).body.map(({ id }: { id: string }) => id)).toEqual([
      ada.tenant,
    ]);
  });

  test("429: the limit of sign-ups applies to sandboxes too", async () => {
    delete process.env.RATE_LIMITS;
    const ada = await signedIn();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await make(ada.headers, {})).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

describe("GET /v1/user/tenants", () => {
  test("200: home and every tenant with a role, newest first, page by page, the same from each tenant", async () => {
    const ada = await signedIn();
    const [first, second] = [newId(), newId()];
    await make(ada.headers, { tenant: first, site: "shop", name: "First" });
    await make(ada.headers, { tenant: second, site: "shop", name: "Second" });
    const all = [
      { id: second, name: "Second", kind: "sandbox", home: false },
      { id: first, name: "First", kind: "sandbox", home: false },
      { id: ada.tenant, name: ada.tenant, kind: "sandbox", home: true },
    ];
    expect((await ownTenants(ada.headers)).body).toEqual(all);
    expect((await ownTenants(await switchTo(ada.headers, first))).body).toEqual(all);
    const page = await ownTenants(ada.headers, "?limit=2");
    expect(page.body).toEqual(all.slice(0, 2));
    const next = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
    expect((await send(`GET ${next}`, { headers: ada.headers })).body).toEqual(all.slice(2));
  });

  test("200: without tenants where the user is locked, and without other users' tenants", async () => {
    const ada = await signedIn();
    const bob = await signedIn();
    const id = newId();
    await make(ada.headers, { tenant: id, site: "shop", name: "Second" });
    const there = await switchTo(ada.headers, id);
    const bobs = await make(bob.headers, { tenant: newId(), site: "shop", name: "Bob's" });
    expect((await ownTenants(there)).text).not.toContain(bobs.body.tenant);
    const invited = await makeUser(id, { roleIds: ["tenant.admin"] });
    const other = await makeSession(id, invited.userId);
    await send(`POST /v1/user/${ada.userId}/lock`, {
      headers: other.headers,
      body: { reason: "left" },
    });
    expect((await ownTenants(ada.headers)).text).not.toContain(id);
  });

  test("401: never by a key", async () => {
    const { tenant, userId } = await signedIn();
    const { headers } = await makeApiKey(tenant, userId);
    expect((await ownTenants(headers)).status).toBe(401);
  });
});

describe("a name changed in the home tenant", () => {
  const rename = (headers: Headers, userId: string, name: string) =>
    send(`PATCH /v1/user/${userId}`, { headers, body: { name } });

  test("is shown wherever the user is a member, search finds it, and it is in the audit trail there", async () => {
    const ada = await signedIn();
    const id = newId();
    await make(ada.headers, { tenant: id, site: "shop", name: "Second" });
    const there = await switchTo(ada.headers, id);
    expect((await rename(ada.headers, ada.userId, "Ada Lovelace")).status).toBe(200);
    const found = await send("GET /v1/user/list?q=lovelace", { headers: there });
    expect(found.body).toMatchObject([{ id: ada.userId, name: "Ada Lovelace" }]);
    expect((await send("GET /v1/user/session", { headers: there })).body.user.name).toBe(
      "Ada Lovelace",
    );
    expect((await trailOf(id)).at(-1)).toMatchObject({
      action: "user.updated",
      actor: { type: "system", id: "home-tenant" },
      changes: { name: { before: "Ada Example", after: "Ada Lovelace" } },
    });
  });

  test("is updated at the latest at sign-in, where the membership was not recorded", async () => {
    const ada = await signedIn();
    const other = await makeTenant();
    await makeUser(other, {
      login: ada.login,
      roleIds: ["portal.users.mgmt"],
      row: { userId: ada.userId, homeTenantId: ada.tenant },
    });
    await rename(ada.headers, ada.userId, "Ada Lovelace");
    const there = await switchTo(ada.headers, other);
    expect((await send("GET /v1/user/list", { headers: there })).body).toMatchObject([
      { name: "Ada Lovelace" },
    ]);
  });
});

test("403: no further sandbox while sign-up is closed", async () => {
  const ada = await signedIn();
  process.env.SIGN_UP = "off";
  try {
    expect(await make(ada.headers, { tenant: newId(), site: "shop", name: "A" })).toMatchObject({
      status: 403,
      body: { code: "signup.closed" },
    });
  } finally {
    process.env.SIGN_UP = "on";
  }
});
