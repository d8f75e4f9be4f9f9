import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { previousSecretUses } from "@/lib/database/schema/schema";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { flushPreviousUses, notePreviousUse } from "./previous-uses";

test("keeps the newest 100 uses of a key's previous secret, even if a caller varies its user agent", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant);
  const [row, soon] = [{ previousHash: Buffer.from(userId) }, Date.now()];
  const { apiKeyId } = await makeApiKey(tenant, userId, row);
  for (let n = 0; n < 150; n += 1)
    notePreviousUse(
      tenant,
      apiKeyId,
      { requestId: "", address: "10.0.0.1", agent: `agent ${n}` },
      soon + n,
    );
  await flushPreviousUses();
  const mine = and(
    eq(previousSecretUses.tenantId, tenant),
    eq(previousSecretUses.apiKeyId, apiKeyId),
  );
  const kept = await db()
    .select({ agent: previousSecretUses.agent })
    .from(previousSecretUses)
    .where(mine);
  expect(kept).toHaveLength(100);
  expect(kept.map(({ agent }) => agent)).toContain("agent 149");
});
