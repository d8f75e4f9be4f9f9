import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

test("preferences lock the tenant's row first: while a recorded write has it locked, the user's row is free", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const { headers } = await makeSession(tenant, userId);
  let saving: Promise<{ status: number }> | undefined;
  await transaction(async (tx) => {
    await tx.execute(sql`update tenants set audit_seq = audit_seq where tenant_id = ${tenant}`);
    saving = send("PUT /v1/user/preferences", { headers, body: { theme: "dark" } });
    await awaitLockWaits(tx, 1);
    await tx
      .update(users)
      .set({ lockReason: "held" })
      .where(and(eq(users.tenantId, tenant), eq(users.userId, userId)));
  });
  expect((await saving)?.status).toBe(200);
});
