import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { sessions } from "@/lib/database/schema/schema";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "correct horse battery";
let tenant: string;
let userId: string;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ann", password, roleIds: ["portal.default"] }));
});

const logIn = () =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { login: "ann", tenant, password },
  });

describe("reset by an administrator", () => {
  const reset = (id: string, as: Record<string, string>) =>
    send(`POST /v1/user/${id}/reset-second-factors`, {
      headers: as,
      body: { reason: "phone fell into the sea" },
    });
  const signedIn = async (roleIds: string[]) => {
    const made = await makeUser(tenant, { roleIds, password });
    return { ...made, ...(await makeSession(tenant, made.userId)) };
  };

  test("204: only the password is needed to sign in, every session has ended, and the user is notified", async () => {
    await makeFactor(tenant, userId);
    const admin = await signedIn(["tenant.admin"]);
    const answer = await reset(userId, admin.headers);
    expect(answer.status, answer.text).toBe(204);
    const own = and(eq(sessions.tenantId, tenant), eq(sessions.userId, userId));
    expect(await db().select().from(sessions).where(own)).toEqual([]);
    const entered = await logIn();
    expect(entered.status).toBe(200);
    const { body } = await send("GET /v1/user/notices", {
      headers: { "X-Service-Tenant": tenant, "X-Service-Session-Id": entered.body.sessionId },
    });
    expect(body[0]).toMatchObject({ kind: "second-factors-reset", byOneself: false });
    expect((await reset(userId, admin.headers)).body.code).toBe("second-factor.not-set-up");
  });

  test("403 for oneself, for a manager with fewer permissions than the user, and outside the home tenant", async () => {
    const admin = await signedIn(["tenant.admin"]);
    const manager = await signedIn(["portal.users.mgmt"]);
    const analyst = await signedIn(["portal.analytics.mgmt"]);
    for (const one of [admin, analyst]) await makeFactor(tenant, one.userId);
    expect((await reset(admin.userId, admin.headers)).body.code).toBe("user.oneself");
    expect((await reset(admin.userId, manager.headers)).body.code).toBe("user.admin-only");
    expect((await reset(analyst.userId, manager.headers)).body.code).toBe(
      "auth.permission-missing",
    );
    expect((await reset("user_nobody", admin.headers)).body.code).toBe("user.not-found");
    const system = await makeUser(tenant, { row: { isSystem: true } });
    expect((await reset(system.userId, admin.headers)).body.code).toBe("user.system");
    const other = await makeTenant();
    const boss = await makeUser(other, { roleIds: ["tenant.admin"] });
    const row = { userId, homeTenantId: tenant };
    await makeUser(other, { roleIds: ["portal.default"], row });
    await makeFactor(tenant, userId);
    const { headers: theirs } = await makeSession(other, boss.userId);
    expect((await reset(userId, theirs)).body.code).toBe("user.other-home");
  });
});
