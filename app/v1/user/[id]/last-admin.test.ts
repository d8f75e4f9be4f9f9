import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
const admin = (tenant: string) => makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });

test.each([
  ["lock", "deactivate"],
  ["deactivate", "lock"],
] as const)(
  "409: of two administrators who %s and %s each other at once, one stays",
  async (...verbs) => {
    const tenant = await makeTenant();
    const [one, two] = [await admin(tenant), await admin(tenant)];
    const act = (verb: string, who: { userId: string }, by: { headers: Record<string, string> }) =>
      send(`POST /v1/user/${who.userId}/${verb}`, {
        headers: by.headers,
        ...(verb === "lock" && { body: { reason: "left the laptop" } }),
      });
    const sent: ReturnType<typeof act>[] = [];
    // While the tenant's row is held both are admitted, and neither has changed anything.
    await transaction(async (tx) => {
      await tx.execute(sql`update tenants set audit_seq = audit_seq where tenant_id = ${tenant}`);
      sent.push(act(verbs[0], one, two));
      await awaitLockWaits(tx, 1);
      sent.push(act(verbs[1], two, one));
      await awaitLockWaits(tx, 2);
    });
    const answers = await Promise.all(sent);
    expect(answers.map(({ status, body }) => (status === 200 ? "done" : body.code)).sort()).toEqual(
      ["done", "user.last-admin"],
    );
  },
);
