import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();

test.each(["lock", "deactivate"])(
  "409: an administrator locked while their pending %s would remove the other one does not remove it",
  async (verb) => {
    const tenant = await makeTenant();
    const one = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
    const two = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
    let answer: ReturnType<typeof send> | undefined;
    await transaction(async (tx) => {
      await tx.execute(sql`update tenants set audit_seq = audit_seq where tenant_id = ${tenant}`);
      answer = send(`POST /v1/user/${one.userId}/${verb}`, {
        headers: two.headers,
        ...(verb === "lock" && { body: { reason: "left the laptop" } }),
      });
      // It has been authorized by now, and waits for the tenant's row.
      await awaitLockWaits(tx);
      await tx
        .update(users)
        .set({ isLocked: true })
        .where(and(eq(users.tenantId, tenant), eq(users.userId, two.userId)));
    });
    const answered = await answer;
    expect([answered?.status, answered?.body.code]).toEqual([409, "user.last-admin"]);
  },
);
