import { and, eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, tenants, users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { address, linkIn, mailedResets, waits } from "./testing/mailed-resets";

const send = testServer();
const { tenant, ask, confirm, person, mailRows, mailedToken, settled, to } = mailedResets(send);

describe("the mailed link", () => {
  test("401 link.void once the e-mail address was changed", async () => {
    const { userId, login, emailAddress } = await person();
    const token = await mailedToken(login, emailAddress);
    const admin = await makeSignedInUser(tenant(), { roleIds: ["tenant.admin"] });
    const change = { headers: admin.headers, body: { emailAddress: address() } };
    expect((await send(`PATCH /v1/user/${userId}`, change)).status).toBe(200);
    expect(await confirm(token)).toMatchObject({ status: 401, body: { code: "link.void" } });
  });

  test("is not sent if users only sign in at a provider", async () => {
    const { login, emailAddress } = await person();
    await db()
      .update(tenants)
      .set({ policy: { passwordSignIn: "emergency-only" } })
      .where(eq(tenants.tenantId, tenant()));
    expect(await mailedToken(login, emailAddress)).toBe("");
    expect(to(emailAddress)).toEqual([]);
  });

  test("is sent to a new address once its owner has set it, or has signed in with it", async () => {
    const admin = await makeSignedInUser(tenant(), { roleIds: ["tenant.admin"] });
    const change = (userId: string, headers: Record<string, string>, emailAddress: string) =>
      send(`PATCH /v1/user/${userId}`, { headers, body: { emailAddress } });
    const own = address();
    await change(admin.userId, admin.headers, own);
    expect(await mailedToken(admin.login, own)).toMatch(/^svl_/);
    const given = address();
    const password = "five words that nobody guesses";
    const { userId, login } = await person({ password });
    await change(userId, admin.headers, given);
    const body = { login, tenant: tenant(), password };
    const signIn = { headers: { "X-Service-Tenant": tenant() }, body };
    expect((await send("POST /v1/user/session-login", signIn)).status).toBe(200);
    expect(await mailedToken(login, given)).toMatch(/^svl_/);
  });

  test("401 link.void if the address may belong to another person", async () => {
    const { userId, login, emailAddress } = await person();
    const token = await mailedToken(login, emailAddress);
    await db()
      .update(users)
      .set({ usedEmail: "former@mail.harbour.dev" })
      .where(and(eq(users.tenantId, tenant()), eq(users.userId, userId)));
    expect(await confirm(token)).toMatchObject({ status: 401, body: { code: "link.void" } });
  });

  test("is valid together with the link from an administrator: a request for it revokes none", async () => {
    const { userId, login, emailAddress } = await person();
    const { headers } = await makeSignedInUser(tenant(), { roleIds: ["tenant.admin"] });
    const handedOut = await send(`POST /v1/user/${userId}/password-reset`, { headers });
    const token = await mailedToken(login, emailAddress);
    expect((await confirm(handedOut.body.token)).status).toBe(204);
    // After one link has set a password, the other one is invalid.
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
  });

  test("is for the user's home tenant, even if it was requested in another one", async () => {
    const { userId, login, emailAddress } = await person();
    const guest = await makeTenant();
    await makeUser(guest, { login, row: { userId, homeTenantId: tenant(), emailAddress } });
    await ask(login, guest);
    await vi.waitFor(() => expect(to(emailAddress)).toHaveLength(1), waits);
    expect((await confirm(linkIn(to(emailAddress)[0]?.text ?? ""))).status).toBe(204);
  });

  test("is in the audit trail with the request id, without a further notice mail", async () => {
    const { login, emailAddress } = await person();
    const { headers } = await ask(login);
    await settled();
    const [entry] = await db()
      .select()
      .from(auditEvents)
      .where(
        and(eq(auditEvents.tenantId, tenant()), eq(auditEvents.action, "user.password-link-made")),
      )
      .orderBy(auditEvents.seq);
    expect(entry).toMatchObject({
      actor: { type: "system", id: "password-reset-by-mail" },
      requestId: headers.get("x-service-request-id"),
    });
    await vi.waitFor(async () => {
      const notices = await mailRows("notice");
      expect(notices.map(({ dueAt, sentAt }) => [dueAt, sentAt])).toEqual([[null, null]]);
    }, waits);
    expect(to(emailAddress)).toHaveLength(1);
  });
});
