import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import { auditEvents, emailConfirmations, users } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { mailedConfirmations } from "./testing/mailed-confirmations";
import { address } from "./testing/mailed-resets";

const send = testServer();
const confirming = mailedConfirmations(send);
const { tenant, to, admin, invite, change, confirm, mailsOfTenant, rowOf } = confirming;
const { tokensOf, tokenOf } = confirming;
const password = "five words that nobody guesses";

describe("the link", () => {
  test("confirms the address, once, with an audit entry: notices are sent there from then on", async () => {
    const { headers } = await admin();
    const own = address();
    const { userId, login } = await invite(headers, own);
    const token = await tokenOf(own);
    const shown = async () => (await send(`GET /v1/user/${userId}`, { headers })).body;
    expect((await shown()).emailConfirmed).toBe(false);
    const lock = { headers, body: { reason: "left" } };
    await send(`POST /v1/user/${userId}/lock`, lock);
    await tokensOf(own);
    expect(to(own)).toHaveLength(1);
    expect((await confirm(token)).status).toBe(204);
    expect((await shown()).emailConfirmed).toBe(true);
    const ofUser = and(
      eq(auditEvents.tenantId, tenant()),
      eq(auditEvents.action, "user.email-confirmed"),
    );
    expect(await db().select().from(auditEvents).where(ofUser)).toMatchObject([
      {
        actor: { type: "user", id: userId, login },
        target: { type: "user", id: userId, name: login },
        changes: { emailAddress: { after: own } },
      },
    ]);
    expect(await confirm(token)).toMatchObject({
      status: 401,
      body: { code: "auth.link-invalid" },
    });
    await send(`POST /v1/user/${userId}/unlock`, { headers });
    await tokensOf(own);
    expect(to(own).at(-1)?.text).toContain("Subject: Your account was unlocked");
  });

  test("works once in 10 concurrent requests", async () => {
    const { headers, userId } = await admin();
    const own = address();
    await change(headers, userId, own);
    const token = await tokenOf(own);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test("is only stored as a hash", async () => {
    const { headers, userId } = await admin();
    const own = address();
    await change(headers, userId, own);
    const token = await tokenOf(own);
    const stored = await db()
      .select()
      .from(emailConfirmations)
      .where(eq(emailConfirmations.tenantId, tenant()));
    expect(stored.map(({ tokenHash }) => tokenHash)).toEqual([sha256(token)]);
    expect(JSON.stringify([stored, await mailsOfTenant()])).not.toContain(token);
  });

  test("becomes invalid when the address changes, even if it changes back", async () => {
    const { headers, userId } = await admin();
    const [first, second] = [address(), address()];
    await change(headers, userId, first);
    const token = await tokenOf(first);
    await change(headers, userId, second);
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
    await change(headers, userId, first);
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
    expect((await rowOf(userId))?.confirmedEmail).toBe("");
  });

  test("is for the mailed address, even if another one was written since", async () => {
    const { headers, userId } = await admin();
    const own = address();
    await change(headers, userId, own);
    const token = await tokenOf(own);
    const key = and(eq(users.tenantId, tenant()), eq(users.userId, userId));
    await db().update(users).set({ emailAddress: address() }).where(key);
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
  });

  test("403 auth.link-expired after 3 days, without a confirmation", async () => {
    const { headers, userId } = await admin();
    const own = address();
    await change(headers, userId, own);
    const token = await tokenOf(own);
    const mine = eq(emailConfirmations.tenantId, tenant());
    const [link] = await db().select().from(emailConfirmations).where(mine);
    const days = ((link?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThanOrEqual(3);
    await db().update(emailConfirmations).set({ expiresAt: new Date() }).where(mine);
    expect(await confirm(token)).toMatchObject({
      status: 403,
      body: { code: "auth.link-expired" },
    });
    expect((await rowOf(userId))?.confirmedEmail).toBe("");
  });

  test("401 in another tenant, for a deactivated user and for an erased one", async () => {
    const { headers } = await admin();
    const own = address();
    const { userId } = await invite(headers, own);
    const token = await tokenOf(own);
    expect((await confirm(token, await makeTenant())).status).toBe(401);
    await send(`POST /v1/user/${userId}/deactivate`, { headers });
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
    const erased = await send(`POST /v1/user/${userId}/erase`, {
      headers,
      body: { reason: "asked" },
    });
    expect(erased.status, erased.text).toBeLessThan(300);
    expect((await confirm(token)).body.code).toBe("auth.link-invalid");
  });

  test("allows reset mails to the address", async () => {
    const { headers } = await admin();
    const own = address();
    const { userId, login } = await makeUser(tenant(), { roleIds: ["portal.default"], password });
    await change(headers, userId, own);
    await confirm(await tokenOf(own));
    const reset = { headers: { "X-Service-Tenant": tenant() }, body: { login } };
    await send("POST /v1/user/password-resets", reset);
    await tokensOf(own);
    expect(to(own).at(-1)?.text).toContain("Subject: Reset your password");
  });
});
