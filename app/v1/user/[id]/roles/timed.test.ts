import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { cleanTenant } from "@/lib/setup/cleaning";
import { makeApiKey, makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** Roles with an expiry. */

const send = testServer();
type Headers = Record<string, string>;
let tenant: string;
let admin: { userId: string; headers: Headers };
let manager: { userId: string; headers: Headers };

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  manager = await makeSignedInUser(tenant, { roleIds: ["portal.users.mgmt"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ahead = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const show = (userId: string, headers = admin.headers) =>
  send(`GET /v1/user/${userId}/roles`, { headers });
const set = (userId: string, body: object, headers = admin.headers) =>
  send(`PUT /v1/user/${userId}/roles`, {
    headers: { ...headers, "If-Match": "*" },
    body: { sites: {}, ...body },
  });
/** Not in the store: the expiry ends it without a write. */
const goTo = (instant: string) => {
  vi.useFakeTimers({ now: new Date(instant), toFake: ["Date"] });
};

describe("400", () => {
  test.each([
    [{ roleIds: ["portal.default"], expiresAt: { "portal.default": "2020-01-01T00:00:00Z" } }, ""],
    [{ roleIds: [], expiresAt: { "portal.default": "2999-01-01T00:00:00Z" } }, ""],
    [
      {
        roleIds: [],
        sites: {
          one: {
            roleIds: ["portal.default"],
            expiresAt: { "portal.default": "2020-01-01T00:00Z" },
          },
        },
      },
      "/sites/one",
    ],
  ])("an expiry that has passed, or of a role that is not set: %j", async (body, place) => {
    const { status, body: problem } = await set(manager.userId, body);
    expect([status, problem.reason]).toEqual([400, `${place}/expiresAt/portal.default`]);
  });
});

describe("403", () => {
  test("an expiry is changed only by callers who may grant the role, and never for oneself", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const admins = { roleIds: ["portal.default", "tenant.admin"] };
    const end = ahead(600);
    expect((await set(userId, { ...admins, expiresAt: { "tenant.admin": end } })).status).toBe(200);
    const longer = await set(
      userId,
      { ...admins, expiresAt: { "tenant.admin": null } },
      manager.headers,
    );
    expect([longer.status, longer.body.code]).toEqual([403, "user.admin-only"]);
    const managers = { roleIds: ["portal.users.mgmt"] };
    const until = { expiresAt: { "portal.users.mgmt": end } };
    expect((await set(manager.userId, { ...managers, ...until })).status).toBe(200);
    const own = await set(
      manager.userId,
      { ...managers, expiresAt: { "portal.users.mgmt": null } },
      manager.headers,
    );
    expect([own.status, own.body.code]).toEqual([403, "user.oneself"]);
    await set(manager.userId, { ...managers, expiresAt: { "portal.users.mgmt": null } });
  });
});

test("409: the last permanent administrator gets no expiry while the others are temporary", async () => {
  const own = await makeTenant();
  const first = await makeSignedInUser(own, { roleIds: ["tenant.admin"] });
  const second = await makeSignedInUser(own, { roleIds: ["tenant.admin"] });
  const until = { roleIds: ["tenant.admin"], expiresAt: { "tenant.admin": ahead(600) } };
  expect((await set(second.userId, until, first.headers)).status).toBe(200);
  const answers = [
    await set(first.userId, until, second.headers),
    await send(`POST /v1/user/${first.userId}/lock`, {
      headers: second.headers,
      body: { reason: "left" },
    }),
  ];
  for (const { status, body } of answers)
    expect([status, body.code]).toEqual([409, "user.last-admin"]);
});

describe("200", () => {
  test("a role expires on time for session, key and bearer, although nothing is written and all are cached", async () => {
    const { userId, headers: session, sessionId } = await makeSignedInUser(tenant);
    const end = ahead(60);
    const body = {
      roleIds: ["portal.default", "portal.users.mgmt"],
      expiresAt: { "portal.users.mgmt": end },
    };
    const granted = await set(userId, body);
    expect([granted.status, granted.body]).toEqual([200, { ...body, sites: {} }]);
    const { headers: key } = await makeApiKey(tenant, userId);
    const token = await send("POST /v1/user/portal-token", { headers: session });
    const bearer = {
      "X-Service-Tenant": tenant,
      Authorization: `Bearer ${token.body.accessToken}`,
    };
    const list = async () => {
      const all = [session, key, bearer].map((headers) => send("GET /v1/user/list", { headers }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    const verifier = await makeVerifier(tenant);
    const { verdict } = verifying(send, () => verifier);
    expect(await list()).toEqual([200, 200, 200]);
    expect((await verdict({ sessionId })).permissions).toContain("user.manage");
    const shown = await send(`GET /v1/user/${userId}`, { headers: admin.headers });
    expect(shown.body.userRoles[tenant]).toEqual({ ...body, sites: {} });
    const etag = (await show(userId)).headers.get("etag");
    goTo(new Date(Date.parse(end) - 1000).toISOString());
    expect(await list()).toEqual([200, 200, 200]);
    // The verdict is not cached beyond the end, so the feed of revocations need not report it.
    expect((await verdict({ sessionId })).cacheFor).toBe(1);
    goTo(end);
    expect(await list()).toEqual([403, 403, 403]);
    expect((await verdict({ sessionId })).permissions ?? []).not.toContain("user.manage");
    const left = await show(userId);
    expect(left.body).toEqual({ roleIds: ["portal.default"], sites: {} });
    expect(left.headers.get("etag")).not.toBe(etag);
  });

  test("a client without support for expiries keeps them; null removes one, at a site too", async () => {
    const { userId } = await makeUser(tenant);
    const place = (roleIds: string[], expiresAt?: object) => ({
      roleIds,
      ...(expiresAt && { expiresAt }),
    });
    const end = { "portal.qa.mgmt": ahead(600) };
    const both = {
      ...place(["portal.qa.mgmt"], end),
      sites: { one: place(["portal.qa.mgmt"], end) },
    };
    expect((await set(userId, both)).body).toEqual(both);
    const more = ["portal.default", "portal.qa.mgmt"];
    const plain = { ...place(more), sites: { one: place(["portal.qa.mgmt"]) } };
    expect((await set(userId, plain)).body).toEqual({ ...both, roleIds: more });
    const cleared = { ...place(more, { "portal.qa.mgmt": null }), sites: plain.sites };
    expect((await set(userId, cleared)).body).toEqual({ ...plain, sites: both.sites });
  });

  test("the cleanup removes expired roles and records it in the audit trail; other roles stay", async () => {
    const { userId } = await makeUser(tenant);
    const ends = { "portal.qa.mgmt": ahead(60), "portal.pim.mgmt": ahead(600) };
    const roleIds = ["portal.default", "portal.pim.mgmt", "portal.qa.mgmt"];
    expect((await set(userId, { roleIds, expiresAt: ends })).status).toBe(200);
    await cleanTenant(tenant, new Date(Date.now() + 61_000));
    const later = { "portal.pim.mgmt": ends["portal.pim.mgmt"] };
    const left = { roleIds: ["portal.default", "portal.pim.mgmt"], sites: {}, expiresAt: later };
    expect((await show(userId)).body).toEqual(left);
    // The cleanup also removes the expired roles of other users of this tenant.
    const ofUser = (await trailOf(tenant)).filter(({ target }) => target?.id === userId);
    expect(ofUser.at(-1)).toMatchObject({
      action: "user.roles-changed",
      actor: { type: "system", id: "role-end" },
      changes: { roles: { before: { roleIds }, after: left } },
    });
  });
});
