import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db } from "@/lib/database/open";
import { mails } from "@/lib/database/schema/schema";
import { findUserRow } from "@/lib/features/users/rows";
import type { Send } from "@/lib/http/testing/test-server";
import { makeSignedInUser, type NewUser } from "@/lib/setup/testing/factories";
import { linkIn, mailedResets, waits } from "./mailed-resets";

type Headers = Record<string, string>;

/** Actions of administrators who set addresses, and the links mailed to these. */
export function mailedConfirmations(send: Send) {
  const { tenant, to } = mailedResets(send);
  const mailsOfTenant = () => db().select().from(mails).where(eq(mails.tenantId, tenant()));
  /** Waits until every mail of the tenant is settled, and returns the tokens sent to an address. */
  async function tokensOf(emailAddress: string): Promise<string[]> {
    await vi.waitFor(async () => {
      expect((await mailsOfTenant()).filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    }, waits);
    return to(emailAddress).flatMap(({ text }) => linkIn(text) || []);
  }
  return {
    ...{ tenant, to, mailsOfTenant, tokensOf },
    tokenOf: async (emailAddress: string) => (await tokensOf(emailAddress)).at(-1) ?? "",
    admin: (row: NewUser["row"] = {}) =>
      makeSignedInUser(tenant(), { roleIds: ["tenant.admin"], row }),
    invite: async (headers: Headers, emailAddress: string) => {
      const login = `new-${Math.random().toString(36).slice(2)}`;
      const roles = { roleIds: ["portal.default"], sites: {} };
      const body = { login, name: "New", emailAddress, roles };
      const made = await send("POST /v1/user/invitations", { headers, body });
      expect(made.status, made.text).toBe(201);
      return { userId: made.body.id as string, login };
    },
    change: async (headers: Headers, userId: string, emailAddress: string) => {
      const given = { headers, body: { emailAddress } };
      expect((await send(`PATCH /v1/user/${userId}`, given)).status).toBe(200);
    },
    confirm: (token: string, where = tenant()) =>
      send("POST /v1/user/email-confirmations/confirm", {
        headers: { "X-Service-Tenant": where },
        body: { token },
      }),
    request: (headers: Headers) => send("POST /v1/user/email-confirmations", { headers }),
    rowOf: (userId: string) => findUserRow(db(), { tenantId: tenant(), userId }),
  };
}
