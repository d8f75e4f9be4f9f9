import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { mails } from "@/lib/database/schema/schema";
import { maxADayOfTenant } from "@/lib/features/mail/worker";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession } from "@/lib/setup/testing/factories";
import { memberElsewhere } from "./testing/erasure";
import { mailedConfirmations } from "./testing/mailed-confirmations";
import { address, waits } from "./testing/mailed-resets";

const send = testServer();
const confirming = mailedConfirmations(send);
const { tenant, to, admin, invite, change, confirm, request, mailsOfTenant, tokensOf } = confirming;

describe("a new e-mail address", () => {
  test("receives a confirmation mail after invitation, sign-up and change", async () => {
    const { headers, userId } = await admin();
    const [invited, changed, signedUp] = [address(), address(), address()];
    await invite(headers, invited);
    await change(headers, userId, changed);
    const id = `t${Math.random().toString(36).slice(2, 10)}`;
    const ada = {
      name: "Ada",
      emailAddress: signedUp,
      login: "ada",
      password: "five words that nobody guesses",
    };
    vi.stubEnv("SIGN_UP", "on");
    const body = { tenant: id, site: "shop", ...ada };
    expect((await send("POST /v1/signup", { body })).status).toBe(201);
    for (const one of [invited, changed]) expect(await tokensOf(one)).toHaveLength(1);
    await vi.waitFor(() => expect(to(signedUp)).toHaveLength(1), waits);
    const [mail] = to(invited);
    expect(mail?.text).toContain("Subject: Confirm your e-mail address");
    expect(mail?.text).toContain(`/confirm-email/${tenant()}#token=svl_`);
  });

  test("receives no mail if it is a service user's or did not change", async () => {
    const own = address();
    const { headers, userId } = await admin({ emailAddress: own });
    const program = { login: "robot", name: "Robot", roles: { roleIds: [], sites: {} } };
    const made = await send("POST /v1/user/service-users", { headers, body: program });
    expect(made.status, made.text).toBe(201);
    await change(headers, userId, own);
    await send(`PATCH /v1/user/${userId}`, { headers, body: { name: "Another name" } });
    expect((await mailsOfTenant()).filter(({ kind }) => kind === "email-confirmation")).toEqual([]);
  });

  test("receives no mail and is never shown as unconfirmed if mail is disabled", async () => {
    vi.stubEnv("SMTP_URL", "");
    const { headers } = await admin();
    const { userId } = await invite(headers, address());
    expect(await mailsOfTenant()).toEqual([]);
    expect(await request(headers)).toMatchObject({ status: 403, body: { code: "mail.off" } });
    const shown = await send(`GET /v1/user/${userId}`, { headers });
    expect(shown.body).not.toHaveProperty("emailConfirmed");
  });

  test("counts toward the daily limit of the tenant", async () => {
    const [sentAt, own] = [new Date(), await admin()];
    const earlier = { tenantId: tenant(), kind: "notice", sentAt, createdAt: sentAt } as const;
    const rows = Array.from({ length: maxADayOfTenant.other }, (_, n) => ({
      ...{ ...earlier, mailId: `notice:${n}` },
    }));
    await db().insert(mails).values(rows);
    const stranger = address();
    await invite(own.headers, stranger);
    expect(await tokensOf(stranger)).toEqual([]);
  });

  test("receives at most 5 confirmation mails a day for each user", async () => {
    const { headers, userId } = await admin();
    const all = Array.from({ length: 6 }, address);
    for (const one of all) {
      await change(headers, userId, one);
      await tokensOf(one);
    }
    expect(all.filter((one) => to(one).length > 0)).toEqual(all.slice(0, 5));
  });
});

describe("POST /v1/user/email-confirmations", () => {
  test("202: mails the owner of an unconfirmed address, at a limited rate", async () => {
    const own = address();
    const { headers } = await admin({ emailAddress: own });
    const profile = async () => (await send("GET /v1/user/profile", { headers })).body;
    expect((await profile()).emailConfirmed).toBe(false);
    for (const { status } of [await request(headers), await request(headers)])
      expect(status).toBe(202);
    const tokens = await tokensOf(own);
    expect(tokens.length).toBeLessThanOrEqual(2);
    expect((await confirm(tokens.at(-1) ?? "")).status).toBe(204);
    expect((await profile()).emailConfirmed).toBe(true);
    await db().delete(mails).where(eq(mails.tenantId, tenant()));
    expect((await request(headers)).status).toBe(202);
    expect(await tokensOf(own)).toHaveLength(tokens.length);
  });

  test("403 user.other-home for a user of another tenant", async () => {
    const { userId } = await admin();
    const other = await memberElsewhere({ tenantId: tenant(), userId }, ["portal.default"]);
    const { headers } = await makeSession(other, userId);
    expect((await request(headers)).body.code).toBe("user.other-home");
    const { body } = await send("GET /v1/user/profile", { headers });
    expect(body).not.toHaveProperty("emailConfirmed");
  });
});
