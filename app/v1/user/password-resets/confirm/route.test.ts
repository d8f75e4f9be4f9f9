import { and, desc, eq, ne } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, passwordLinks } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { noteMembership } from "@/lib/features/users/memberships";
import { resetPassword } from "@/lib/features/users/reset-password";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const password = "four words in a row";
const newPassword = "another four words here";
let tenant: string;
let admin: { userId: string; headers: Headers };
let manager: { userId: string; headers: Headers };
let target: { userId: string; login: string; headers: Headers };

const signedIn = (given: NewUser) => makeSignedInUser(tenant, { password, ...given });

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
});

beforeEach(async () => {
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  target = await signedIn({ roleIds: ["portal.default"] });
});

const issue = (by = manager, userId = target.userId) =>
  send(`POST /v1/user/${userId}/password-reset`, { headers: by.headers });
const confirm = (token: string, given = newPassword) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });
const accept = (token: string) =>
  send("POST /v1/user/invitations/accept", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password },
  });

const signIn = (login: string, given: string) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { tenant, login, password: given },
  });
const setRoles = (userId: string, roleIds: string[]) =>
  send(`PUT /v1/user/${userId}/roles`, {
    headers: { ...admin.headers, "If-Match": "*" },
    body: { roleIds },
  });
const act = (verb: string, userId: string, body?: unknown) =>
  send(`POST /v1/user/${userId}/${verb}`, {
    headers: admin.headers,
    ...(body === undefined ? {} : { body }),
  });

const gone = async (token: string) => {
  const { status, body } = await confirm(token);
  return [status, body.code];
};
const isVoid = [401, "link.void"];

describe("401 link.void: a change of the user invalidates the link", () => {
  const changes: [string, () => Promise<unknown>][] = [
    ["roles", () => setRoles(target.userId, ["tenant.admin"])],
    [
      "roles and back",
      async () => [
        await setRoles(target.userId, ["portal.qa.mgmt"]),
        await setRoles(target.userId, ["portal.default"]),
      ],
    ],
    ["lock", () => act("lock", target.userId, { reason: "gone" })],
    [
      "lock and unlock",
      async () => [
        await act("lock", target.userId, { reason: "gone" }),
        await act("unlock", target.userId),
      ],
    ],
    ["deactivation", () => act("deactivate", target.userId)],
    [
      "reactivation",
      async () => [await act("deactivate", target.userId), await act("reactivate", target.userId)],
    ],
    [
      "e-mail address",
      () =>
        send(`PATCH /v1/user/${target.userId}`, {
          headers: admin.headers,
          body: { emailAddress: "new@example.com" },
        }),
    ],
    [
      "own password",
      () =>
        send("PUT /v1/user/password", {
          headers: target.headers,
          body: { current: password, password: "my own new password" },
        }),
    ],
    [
      "one-time password",
      () => resetPassword(actingAsSystem(tenant, "reset-password"), target.login),
    ],
  ];

  test.each(changes)("%s", async (_, change) => {
    const { body } = await issue();
    const changed = await change();
    if (changed instanceof Object && "status" in changed)
      expect([200, 204]).toContain(changed.status);
    expect(await gone(body.token)).toEqual(isVoid);
    expect((await signIn(target.login, newPassword)).status).toBe(401);
  });

  test("a new name does not, and a new link works after a change", async () => {
    const { body } = await issue();
    await send(`PATCH /v1/user/${target.userId}`, {
      headers: admin.headers,
      body: { name: "New Name" },
    });
    expect((await confirm(body.token)).status).toBe(204);
    const second = (await issue()).body.token;
    await setRoles(target.userId, ["portal.users.mgmt"]);
    expect(await gone(second)).toEqual(isVoid);
    expect((await confirm((await issue()).body.token, "yet another four words")).status).toBe(204);
  });
});

describe("401 link.void: the issuer is checked again", () => {
  const changes: [string, () => Promise<unknown>][] = [
    ["has lost user.manage", () => setRoles(manager.userId, ["portal.default"])],
    ["is locked", () => act("lock", manager.userId, { reason: "gone" })],
    ["is deactivated", () => act("deactivate", manager.userId)],
  ];

  test.each(changes)("who %s", async (_, change) => {
    const { body } = await issue();
    const invited = await send("POST /v1/user/invitations", {
      headers: manager.headers,
      body: {
        login: `new-${target.login}`,
        name: "New",
        emailAddress: "new@example.com",
        roles: { roleIds: ["portal.default"] },
      },
    });
    await change();
    expect(await gone(body.token)).toEqual(isVoid);
    expect((await accept(invited.body.token)).body.code).toBe("link.void");
  });

  test("an issuer who has lost some of the user's permissions", async () => {
    const strong = await signedIn({ roleIds: ["portal.users.mgmt", "portal.qa.mgmt"] });
    await setRoles(target.userId, ["portal.qa.mgmt"]);
    const { body } = await issue(strong);
    await setRoles(strong.userId, ["portal.users.mgmt"]);
    expect(await gone(body.token)).toEqual(isVoid);
    await setRoles(strong.userId, ["portal.users.mgmt", "portal.qa.mgmt"]);
    expect((await confirm(body.token)).status).toBe(204);
  });

  test("an issuer without the role at the site", async () => {
    const atOne = await signedIn({ sites: { one: ["portal.users.mgmt"] } });
    const issuer = { ...atOne, headers: { ...atOne.headers, "X-Service-Site": "one" } };
    const { userId } = await makeUser(tenant, { password, sites: { one: ["portal.default"] } });
    const { body } = await issue(issuer, userId);
    await send(`PUT /v1/user/${atOne.userId}/roles`, {
      headers: { ...admin.headers, "If-Match": "*" },
      body: { roleIds: [], sites: { two: { roleIds: ["portal.users.mgmt"] } } },
    });
    expect(await gone(body.token)).toEqual(isVoid);
  });

  test("a link without an issuer, from before issuers were stored, stays valid until it expires", async () => {
    const { body } = await issue();
    const own = and(eq(passwordLinks.tenantId, tenant), eq(passwordLinks.userId, target.userId));
    await db()
      .update(passwordLinks)
      .set({ issuedBy: null, issuerTenantId: null, issuerUserId: null })
      .where(own);
    expect((await confirm(body.token)).status).toBe(204);
  });

  test("an invitation is void after the roles that it gives were changed, also when its issuer may grant the new ones", async () => {
    const body = {
      login: `raised-${target.login}`,
      name: "New",
      emailAddress: "new@example.com",
      roles: { roleIds: ["portal.default"] },
    };
    const invited = await send("POST /v1/user/invitations", { headers: manager.headers, body });
    await setRoles(invited.body.id, ["tenant.admin"]);
    expect((await accept(invited.body.token)).body.code).toBe("link.void");
  });
});

describe("a user with roles in other tenants", () => {
  const addElsewhere = async () => {
    const other = await makeTenant();
    await transaction((tx) => noteMembership(tx, actingAsSystem(tenant, "test"), target, other));
    await makeUser(other, {
      roleIds: ["tenant.admin"],
      row: { userId: target.userId, homeTenantId: tenant },
    });
  };

  test("403: is reset only by a tenant.admin, and the home tenant's audit trail has it", async () => {
    await addElsewhere();
    const refused = await issue();
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([
      403,
      "user.admin-only",
      "tenant.admin",
    ]);
    const { body } = await issue(admin);
    expect((await confirm(body.token)).status).toBe(204);
    const trail = await db()
      .select({ action: auditEvents.action, changes: auditEvents.changes })
      .from(auditEvents)
      // A previous failed sign-in may be recorded after its response.
      .where(and(eq(auditEvents.tenantId, tenant), ne(auditEvents.action, "session.login-failed")))
      .orderBy(desc(auditEvents.seq))
      .limit(2);
    expect(trail).toMatchObject([
      { action: "user.password-reset-confirmed", changes: { issuer: { after: admin.userId } } },
      { action: "user.password-link-made" },
    ]);
  });

  test("401: a manager's link is invalid once the user has roles elsewhere", async () => {
    const { body } = await issue();
    await addElsewhere();
    expect(await gone(body.token)).toEqual(isVoid);
  });
});
