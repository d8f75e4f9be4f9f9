import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { passwordLinks } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();

async function linked() {
  const tenantId = await makeTenant();
  const admin = await makeSignedInUser(tenantId, { roleIds: ["tenant.admin"] });
  const { userId } = await makeSignedInUser(tenantId, { password: "four words in a row" });
  const { headers } = admin;
  const { body } = await send(`POST /v1/user/${userId}/password-reset`, { headers });
  const confirm = (password: string) =>
    send("POST /v1/user/password-resets/confirm", {
      headers: { "X-Service-Tenant": tenantId },
      body: { token: body.token, password },
    });
  return { tenantId, userId, confirm };
}

test("400: an unsuitable password leaves the link valid", async () => {
  const { confirm } = await linked();
  const answer = await confirm("password1234");
  expect([answer.status, answer.body.code]).toEqual([400, "password.unsuitable"]);
  expect((await confirm("another four words here")).status).toBe(204);
});

test("403: an expired link", async () => {
  const { tenantId, userId, confirm } = await linked();
  await db()
    .update(passwordLinks)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(and(eq(passwordLinks.tenantId, tenantId), eq(passwordLinks.userId, userId)));
  const answer = await confirm("another four words here");
  expect([answer.status, answer.body.code]).toEqual([403, "auth.link-expired"]);
});
