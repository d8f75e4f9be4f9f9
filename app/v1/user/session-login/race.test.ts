import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { hashPassword } from "@/lib/access/hashing";
import { db, transaction } from "@/lib/database/open";
import { sessions, users } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const password = "correct horse battery";

test("401: the password was replaced while it was checked", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, {
    login: "ann",
    password,
    roleIds: ["portal.default"],
  });
  const passwordHash = await hashPassword(
    { plane: "management", tenantId: tenant },
    "quite another password",
  );
  const answer = await transaction(async (tx) => {
    await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.tenantId, tenant), eq(users.userId, userId)));
    const asked = send("POST /v1/user/session-login", {
      headers: { "X-Service-Tenant": tenant },
      body: { login: "ann", tenant, password },
    });
    await awaitLockWaits(tx);
    return { asked };
  });
  const { status, body } = await answer.asked;
  expect([status, body.code]).toEqual([401, "auth.login-failed"]);
  expect(await db().select().from(sessions).where(eq(sessions.tenantId, tenant))).toEqual([]);
});
