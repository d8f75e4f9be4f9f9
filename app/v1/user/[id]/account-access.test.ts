import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { memberElsewhere } from "@/lib/features/users/testing/erasure";
import { testServer } from "@/lib/http/testing/test-server";
import { permissions as allPermissions } from "@/lib/protocol/permissions";
import {
  makeApiKey,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;
let manager: Headers;
let siteManager: Headers;

beforeAll(async () => {
  tenant = await makeTenant();
  admin = (await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] })).headers;
  manager = (await makeSignedInUser(tenant, { roleIds: ["portal.users.mgmt"] })).headers;
  const atOne = await makeSignedInUser(tenant, { sites: { one: ["portal.users.mgmt"] } });
  siteManager = { ...atOne.headers, "X-Service-Site": "one" };
});

const service = { kind: "service" as const };

/** The headers of a service user's key that is restricted to these permissions. */
async function keyOf(permissions: string[], roleIds = ["tenant.admin"]): Promise<Headers> {
  const { userId } = await makeUser(tenant, { roleIds, row: service });
  return (await makeApiKey(tenant, userId, { permissions: permissions as never })).headers;
}

const setAddress = (userId: string, headers: Headers, emailAddress = "thief@evil.example") =>
  send(`PATCH /v1/user/${userId}`, { headers, body: { emailAddress } });

describe("PATCH /v1/user/{id} with an e-mail address", () => {
  test.each<[string, NewUser, () => Headers]>([
    ["a permission that the manager lacks", { roleIds: ["portal.customers.mgmt"] }, () => manager],
    [
      "such a permission at the manager's only site",
      { sites: { one: ["portal.customers.mgmt"] } },
      () => siteManager,
    ],
  ])("403 auth.permission-missing: the user has %s", async (_, given, headers) => {
    const { userId } = await makeUser(tenant, given);
    const answer = await setAddress(userId, headers());
    expect([answer.status, answer.body.code]).toEqual([403, "auth.permission-missing"]);
    expect(answer.body.reason).toMatch(/^customer\./);
    const name = await send(`PATCH /v1/user/${userId}`, {
      headers: headers(),
      body: { name: "New Name" },
    });
    expect(name.status).toBe(200);
    expect((await setAddress(userId, admin)).status).toBe(200);
  });

  test("403 user.admin-only: the user has roles in other tenants", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    await memberElsewhere({ tenantId: tenant, userId }, ["tenant.admin"]);
    expect((await setAddress(userId, manager)).body.code).toBe("user.admin-only");
    expect((await setAddress(userId, admin)).status).toBe(200);
  });

  test("403 user.session-only: by an API key, whatever its permissions", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const key = await keyOf(["user.manage"]);
    expect((await setAddress(userId, key)).body.code).toBe("user.session-only");
    const name = { headers: key, body: { name: "By a program" } };
    expect((await send(`PATCH /v1/user/${userId}`, name)).status).toBe(200);
  });

  test("200: one's own", async () => {
    const self = await makeSignedInUser(tenant, { roleIds: ["portal.users.mgmt"] });
    expect((await setAddress(self.userId, self.headers)).status).toBe(200);
  });
});

describe("a restricted API key", () => {
  const rolesOf = (roleId: string) => ({ roleIds: [roleId], sites: {} });
  const invite = (headers: Headers, roleId: string) => {
    const login = `new-${Math.random().toString(36).slice(2)}`;
    const body = { login, name: login, emailAddress: "new@corp.example", roles: rolesOf(roleId) };
    return send("POST /v1/user/invitations", { headers, body });
  };
  const setRoles = async (headers: Headers, userId: string, roleId: string) => {
    const etag = (await send(`GET /v1/user/${userId}/roles`, { headers })).headers.get("etag");
    const conditional = { ...headers, "If-Match": etag ?? "" };
    return send(`PUT /v1/user/${userId}/roles`, { headers: conditional, body: rolesOf(roleId) });
  };

  test.each(["portal.customers.mgmt", "portal.configurations.mgmt", "portal.users.mgmt"])(
    "403 role.not-grantable: %s has permissions that the key lacks",
    async (roleId) => {
      const key = await keyOf(["user.manage", "customer.read"]);
      const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
      const program = { login: `robot-${roleId}`, name: "Robot", roles: rolesOf(roleId) };
      const answers = [
        await invite(key, roleId),
        await setRoles(key, userId, roleId),
        await send("POST /v1/user/service-users", { headers: key, body: program }),
      ];
      expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill("role.not-grantable"));
    },
  );

  test("201: invites with a role within its restriction, and the response has no link", async () => {
    const key = await keyOf(["user.manage", "customer.manage"]);
    const answer = await invite(key, "portal.customers.mgmt");
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ id: expect.stringMatching(/^user_/), url: "", token: "" });
    const link = await send(`POST /v1/user/${answer.body.id}/password-reset`, { headers: admin });
    const accepted = { token: link.body.token, password: "thirty two words are enough" };
    const tenantOnly = { headers: { "X-Service-Tenant": tenant }, body: accepted };
    expect((await send("POST /v1/user/invitations/accept", tenantOnly)).status).toBe(200);
    expect((await invite(manager, "portal.customers.mgmt")).body.token).toEqual(expect.any(String));
  });
});

describe("the last administrator", () => {
  test.each<[string, NewUser]>([
    ["a service user", { row: service }],
    ["a service user that has a password", { row: { ...service, passwordHash: "$argon2id$some" } }],
    ["somebody who is locked", { row: { isLocked: true } }],
    ["somebody who is deactivated", { row: { state: "deactivated" } }],
    ["somebody who was only invited", { row: { state: "invited" } }],
    ["somebody without a password", { row: { passwordHash: null } }],
    [
      "somebody whose one-time password has expired",
      { row: { mustChangePassword: true, passwordExpiresAt: new Date(Date.now() - 1000) } },
    ],
  ])("409 user.last-admin: %s does not count", async (_, given) => {
    const own = await makeTenant();
    const person = await makeSignedInUser(own, { roleIds: ["tenant.admin"] });
    const other = await makeUser(own, { ...given, roleIds: ["tenant.admin"] });
    const robot = await makeUser(own, { roleIds: ["tenant.admin"], row: service });
    const { headers } = await makeApiKey(own, robot.userId, { permissions: [...allPermissions] });
    const path = `/v1/user/${person.userId}`;
    const lock = { headers, body: { reason: "gone" } };
    const etag = (await send(`GET ${path}/roles`, { headers })).headers.get("etag") ?? "";
    const none = { headers: { ...headers, "If-Match": etag }, body: { roleIds: [], sites: {} } };
    const codes = [
      await send(`POST ${path}/lock`, lock),
      await send(`POST ${path}/deactivate`, { headers }),
      await send(`PUT ${path}/roles`, none),
    ].map(({ body }) => body.code);
    expect(codes).toEqual(Array(3).fill("user.last-admin"));
    const there = and(eq(users.tenantId, own), eq(users.userId, other.userId));
    const able = { state: "active", isLocked: false, kind: "person", passwordExpiresAt: null };
    await db()
      .update(users)
      .set({ ...able, passwordHash: "$argon2id$some" } as never)
      .where(there);
    expect((await send(`POST ${path}/lock`, lock)).status).toBe(200);
  });

  test("409 user.last-admin: the only administrator of another tenant is not locked or deactivated until there is a second one", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const other = await memberElsewhere({ tenantId: tenant, userId }, ["tenant.admin"]);
    const heir = await makeUser(other, { roleIds: ["portal.default"] });
    const lock = () =>
      send(`POST /v1/user/${userId}/lock`, { headers: manager, body: { reason: "gone" } });
    const deactivate = () => send(`POST /v1/user/${userId}/deactivate`, { headers: manager });
    for (const attempt of [lock, deactivate])
      expect((await attempt()).body.code).toBe("user.last-admin");
    await db()
      .insert(roleAssignments)
      .values({ tenantId: other, userId: heir.userId, siteId: "", roleId: "tenant.admin" });
    for (const attempt of [lock, deactivate]) expect((await attempt()).status).toBe(200);
  });
});

describe("PATCH /v1/user/api-keys/{apiKeyId}", () => {
  test("403: limits are relaxed only by callers who may hand the key out; any manager of keys may tighten them", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.customers.mgmt"], row: service });
    const { apiKeyId } = await makeApiKey(tenant, userId, {
      ...{ allowedAddresses: ["10.0.0.0/8"], rateLimit: 100, rateWindowSeconds: 60 },
    });
    const change = (body: object, headers = manager) =>
      send(`PATCH /v1/user/api-keys/${apiKeyId}`, { headers, body });
    const looser = [
      { allowedAddresses: null },
      { allowedAddresses: ["10.1.0.0/16", "192.0.2.1"] },
      { allowedAddresses: ["8.0.0.0/6"] },
      { allowedAddresses: ["::/0"] },
      { rateLimit: null },
      { rateLimit: { limit: 101, window: "PT1M" } },
      { rateLimit: { limit: 100, window: "PT59S" } },
      // A window of another length restarts the count.
      { rateLimit: { limit: 100, window: "PT61S" } },
    ];
    for (const body of looser)
      expect((await change(body)).body.code, JSON.stringify(body)).toBe("auth.permission-missing");
    const tighter = { allowedAddresses: ["10.1.0.0/16"], rateLimit: { limit: 9, window: "PT1M" } };
    expect((await change(tighter)).status).toBe(200);
    expect((await change({ allowedAddresses: null, rateLimit: null }, admin)).status).toBe(200);
  });
});

test("403 auth.permission-missing: a manager cannot resume a key with more permissions, as the manager may know its secret", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.customers.mgmt"], row: service });
  const { apiKeyId } = await makeApiKey(tenant, userId, { suspendedAt: new Date() });
  const path = `POST /v1/user/api-keys/${apiKeyId}`;
  expect((await send(`${path}/resume`, { headers: manager })).body).toMatchObject({
    ...{ code: "auth.permission-missing", reason: expect.stringMatching(/^customer\./) },
  });
  expect((await send(`${path}/resume`, { headers: admin })).status).toBe(200);
  // Callers can undo their own change.
  expect((await send(`${path}/suspend`, { headers: manager })).status).toBe(200);
  expect((await send(`${path}/resume`, { headers: manager })).status).toBe(200);
  expect((await send(`${path}/suspend`, { headers: admin })).status).toBe(200);
  expect((await send(`${path}/resume`, { headers: manager })).status).toBe(403);
  const own = { roleIds: ["portal.default"], row: service };
  const weak = await makeApiKey(tenant, (await makeUser(tenant, own)).userId, {
    suspendedAt: new Date(),
  });
  const resumed = await send(`POST /v1/user/api-keys/${weak.apiKeyId}/resume`, {
    headers: manager,
  });
  expect(resumed.status).toBe(200);
});
