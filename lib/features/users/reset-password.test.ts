import { and, desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import { auditEvents, users } from "@/lib/database/schema/schema";
import { failureOf } from "@/lib/database/testing/failing";
import { actingAsSystem } from "@/lib/features/audit/service";
import { login } from "@/lib/features/sessions/login";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { resetPassword } from "./reset-password";

const origin = { requestId: "req-1", address: "127.0.0.1", agent: "test" };
const acting = (tenantId: string) => actingAsSystem(tenantId, "reset-password");
const signIn = (tenant: string, name: string, password: string) =>
  login(tenant, { tenant, login: name, password }, origin);

describe("a reset of a password", () => {
  test("gives a one-time password that signs in, must be changed, ends within 24 hours and replaces the old one", async () => {
    const tenantId = await makeTenant();
    const user = await makeUser(tenantId, {
      roleIds: ["tenant.admin"],
      password: "the old password",
    });
    const before = Date.now();
    const { password, expiresAt } = await resetPassword(acting(tenantId), user.login);
    const { sessionId } = await signIn(tenantId, user.login, password);
    const headers = new Headers({ "X-Service-Session-Id": sessionId });
    const { caller } = await authenticate(headers, {
      tenantId,
      accepted: ["session"],
      origin,
      operation: "GET /v1/user/session",
    });
    expect(caller.mustChangePassword).toBe(true);
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000);
    expect(await failureOf(signIn(tenantId, user.login, "the old password"))).toMatchObject({
      code: "auth.login-failed",
    });
  });

  test("ends the user's sessions immediately, including one this process has cached, and no others", async () => {
    const tenantId = await makeTenant();
    const user = await makeUser(tenantId, { roleIds: ["portal.default"] });
    const other = await makeUser(tenantId, { roleIds: ["portal.default"] });
    const ended = new Headers((await makeSession(tenantId, user.userId)).headers);
    const kept = new Headers((await makeSession(tenantId, other.userId)).headers);
    const check = (headers: Headers) =>
      authenticate(headers, {
        tenantId,
        accepted: ["session"],
        origin,
        operation: "GET /v1/user/session",
      });
    await check(ended);
    await resetPassword(acting(tenantId), user.login);
    expect(await failureOf(check(ended))).toMatchObject({ code: "auth.credentials-invalid" });
    await expect(check(kept)).resolves.toBeDefined();
  });

  test("unlocks and reactivates the user, and reports it", async () => {
    const tenantId = await makeTenant();
    const row = { isLocked: true, lockReason: "Gone", state: "deactivated" as const };
    const user = await makeUser(tenantId, { roleIds: ["tenant.admin"], row });
    const reset = await resetPassword(acting(tenantId), ` ${user.login.toUpperCase()} `);
    expect(reset).toMatchObject({ login: user.login, wasLocked: true, wasInactive: true });
    await expect(signIn(tenantId, user.login, reset.password)).resolves.toBeDefined();
  });

  test("is in the audit trail with the system as actor, without the password", async () => {
    const tenantId = await makeTenant();
    const user = await makeUser(tenantId, { row: { isLocked: true } });
    const { password } = await resetPassword(acting(tenantId), user.login);
    const [entry] = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, tenantId))
      .orderBy(desc(auditEvents.seq))
      .limit(1);
    expect(entry).toMatchObject({
      actor: { type: "system", id: "reset-password" },
      action: "user.password-reset",
      target: { type: "user", id: user.userId },
      changes: { lock: { before: true, after: false } },
    });
    expect(JSON.stringify(entry)).not.toContain(password);
  });

  test("is rejected for an unknown login, a service user and a user whose home is another tenant", async () => {
    const tenantId = await makeTenant();
    const service = await makeUser(tenantId, { row: { kind: "service" } });
    const guest = await makeUser(tenantId, {
      row: { homeTenantId: await makeTenant(), userId: newId("user") },
    });
    expect(await failureOf(resetPassword(acting(tenantId), "nobody"))).toMatchObject({
      code: "user.not-found",
    });
    expect(await failureOf(resetPassword(acting(tenantId), service.login))).toMatchObject({
      code: "user.not-found",
    });
    expect(await failureOf(resetPassword(acting(tenantId), guest.login))).toMatchObject({
      code: "user.other-home",
    });
    const [row] = await db()
      .select({ hash: users.passwordHash })
      .from(users)
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, guest.userId)));
    expect(row).toEqual({ hash: null });
  });
});
