import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, passwordLinks } from "@/lib/database/schema/schema";
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
const password = "four words in a row";
let tenant: string;
let admin: Headers;
let manager: Headers;
let siteManager: Headers;

const signedIn = async (given: NewUser) => (await makeSignedInUser(tenant, given)).headers;

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  siteManager = {
    ...(await signedIn({ sites: { one: ["portal.users.mgmt"] } })),
    "X-Service-Site": "one",
  };
});

let count = 0;
const somebody = (roles: unknown = { roleIds: ["portal.default"], sites: {} }) => {
  count += 1;
  return { login: `new-${count}`, name: "New Person", emailAddress: "new@example.com", roles };
};
const invite = (headers = manager, body: unknown = somebody()) =>
  send("POST /v1/user/invitations", { headers, body });
const accept = (token: string, given = password) =>
  send("POST /v1/user/invitations/accept", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });
const reset = (userId: string, headers = admin) =>
  send(`POST /v1/user/${userId}/password-reset`, { headers });
const confirm = (token: string, given: string) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });
const signIn = (login: string, given = password) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { tenant, login, password: given },
  });

describe("an invitation", () => {
  test("201, accepted with a password: 200 and the user is signed in; the token is not stored and works once", async () => {
    const body = somebody();
    const made = await invite(manager, body);
    expect([made.status, made.headers.get("location")]).toEqual([201, `/v1/user/${made.body.id}`]);
    expect(made.body.url).toContain(`/invite/${tenant}#token=${made.body.token}`);
    expect((await send(`GET /v1/user/${made.body.id}`, { headers: manager })).body).toMatchObject({
      state: "invited",
      login: body.login,
    });
    expect((await signIn(body.login)).status).toBe(401);
    const accepted = await accept(made.body.token);
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { id: made.body.id, tenant, login: body.login, name: "New Person" },
    ]);
    expect((await signIn(body.login)).status).toBe(200);
    expect([(await accept(made.body.token)).status, (await accept("svl_nothing")).status]).toEqual([
      401, 401,
    ]);
    const stored = JSON.stringify([
      await db().select().from(passwordLinks).where(eq(passwordLinks.tenantId, tenant)),
      await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant)),
    ]);
    expect(stored).not.toContain(made.body.token);
  });

  test("of 10 concurrent acceptances one succeeds", async () => {
    const { body } = await invite();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => accept(body.token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(401)]);
  });

  test("400: an unsuitable password leaves the link valid; 403: an expired link", async () => {
    const { body } = await invite();
    const weak = await accept(body.token, "short");
    expect([weak.status, weak.body.code]).toEqual([400, "password.unsuitable"]);
    await db()
      .update(passwordLinks)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(passwordLinks.tenantId, tenant));
    const late = await accept(body.token);
    expect([late.status, late.body.code]).toEqual([403, "auth.link-expired"]);
    expect(late.headers.get("www-authenticate")).toContain("invalid_token");
    const fresh = await reset(body.id);
    expect(fresh.body.url).toContain("/invite/");
    expect([(await accept(body.token)).status, (await accept(fresh.body.token)).status]).toEqual([
      401, 200,
    ]);
  });

  test("403 for roles that the caller may not grant, 400 for an unknown site, 409 for a login in use", async () => {
    const refused = await invite(manager, somebody({ roleIds: ["tenant.admin"], sites: {} }));
    expect([refused.status, refused.body.reason]).toEqual([403, "tenant.admin"]);
    const beyond = await invite(siteManager, somebody());
    expect([beyond.status, beyond.body.reason]).toEqual([403, "user.manage"]);
    expect(
      (
        await invite(
          siteManager,
          somebody({ roleIds: [], sites: { one: { roleIds: ["portal.pim.mgmt"] } } }),
        )
      ).status,
    ).toBe(201);
    for (const roles of [
      { roleIds: [], sites: {} },
      { roleIds: [], sites: { one: { roleIds: [] } } },
    ]) {
      const unseen = await invite(siteManager, somebody(roles));
      expect([unseen.status, unseen.body.reason]).toEqual([400, "/roles/sites/one"]);
    }
    expect((await invite(manager, somebody({ roleIds: [], sites: {} }))).status).toBe(201);
    const nowhere = await invite(
      manager,
      somebody({ roleIds: [], sites: { nowhere: { roleIds: ["portal.pim.mgmt"] } } }),
    );
    expect([nowhere.status, nowhere.body.reason]).toEqual([400, "/roles/sites/nowhere"]);
    const body = somebody();
    await invite(manager, body);
    const taken = await invite(manager, { ...body, login: body.login.toUpperCase() });
    expect([taken.status, taken.body.code]).toEqual([409, "user.login-taken"]);
  });
});

describe("a reset link by an administrator", () => {
  test("201, then 204: the new password works, the old one does not, the sessions end", async () => {
    const { userId, login } = await makeUser(tenant, { roleIds: ["portal.default"], password });
    const session = await makeSession(tenant, userId);
    const made = await reset(userId, manager);
    expect(made.body.url).toContain(`/reset-password/${tenant}#token=`);
    expect((await confirm(made.body.token, "another four words here")).status).toBe(204);
    expect([
      (await signIn(login)).status,
      (await signIn(login, "another four words here")).status,
    ]).toEqual([401, 200]);
    expect((await send("GET /v1/user/session", { headers: session.headers })).status).toBe(401);
    expect((await confirm(made.body.token, "another four words here")).status).toBe(401);
  });

  test("an invitation's token cannot reset a password, and a reset's token accepts no invitation", async () => {
    const { body } = await invite();
    expect((await confirm(body.token, password)).status).toBe(401);
    const { userId } = await makeUser(tenant, { password });
    expect((await accept((await reset(userId)).body.token)).status).toBe(401);
  });

  test("403 where the user has permissions that the caller lacks, 403 for oneself", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.analytics.mgmt"], password });
    const refused = await reset(userId, manager);
    expect([refused.status, refused.body.reason]).toEqual([403, "api-metric.read"]);
    const own = await send("GET /v1/user/session", { headers: admin });
    expect((await reset(own.body.user.id)).body.code).toBe("user.oneself");
  });

  test("a retry with an Idempotency-Key never returns the link again", async () => {
    const { userId } = await makeUser(tenant, { password });
    const headers = { ...admin, "Idempotency-Key": "link" };
    await reset(userId, headers);
    const again = await reset(userId, headers);
    expect([again.status, again.body.code, again.body.reason]).toEqual([
      409,
      "idempotency.secret-not-replayable",
      userId,
    ]);
  });
});

describe("a service user", () => {
  const make = (headers: Headers, body: unknown) =>
    send("POST /v1/user/service-users", { headers, body });

  test("201 without a password: it cannot sign in, and there is nothing to reset", async () => {
    const answer = await make(manager, {
      login: "erp",
      name: "ERP bridge",
      roles: { roleIds: ["portal.pim.mgmt"] },
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      201,
      `/v1/user/${answer.body.id}`,
    ]);
    expect(answer.body).toMatchObject({ kind: "service", state: "active", emailAddress: "" });
    expect((await signIn("erp")).status).toBe(401);
    const refused = await reset(answer.body.id);
    expect([refused.status, refused.body.code]).toEqual([409, "user.no-password"]);
  });

  test("403: not with a role that the caller may not grant", async () => {
    const answer = await make(manager, {
      login: "root",
      name: "Root",
      roles: { roleIds: ["tenant.admin"] },
    });
    expect([answer.status, answer.body.code]).toEqual([403, "role.not-grantable"]);
  });
});
