import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { idempotentAnswers, sessions } from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { cleanStore } from "./cleaning";

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test("the cleanup deletes sessions 30 days after their end and stored responses after a day, in every tenant, and nothing newer", async () => {
  // Separate: the store that tests share has every tenant of earlier tests.
  await onEmptyStore(async () => {
    const filled = [];
    for (const tenantId of [await makeTenant(), await makeTenant()]) {
      const { userId } = await makeUser(tenantId);
      await makeSession(tenantId, userId, { expiresAt: hoursAgo(30 * 24 + 1) });
      const young = await makeSession(tenantId, userId, { expiresAt: hoursAgo(30 * 24 - 1) });
      const alive = await makeSession(tenantId, userId);
      const answer = (createdAt: Date) => ({
        tenantId,
        keyHash: randomBytes(32),
        bodyHash: randomBytes(32),
        createdAt,
        status: 201,
      });
      await db()
        .insert(idempotentAnswers)
        .values([answer(hoursAgo(25)), answer(hoursAgo(23))]);
      filled.push({ tenantId, refs: [young.sessionRef, alive.sessionRef].sort() });
    }
    await cleanStore(new Date());
    for (const { tenantId, refs } of filled) {
      const kept = await db()
        .select({ ref: sessions.sessionRef })
        .from(sessions)
        .where(eq(sessions.tenantId, tenantId));
      expect(kept.map(({ ref }) => ref).sort()).toEqual(refs);
      const answers = await db()
        .select({ at: idempotentAnswers.createdAt })
        .from(idempotentAnswers)
        .where(eq(idempotentAnswers.tenantId, tenantId));
      expect(answers).toHaveLength(1);
    }
  });
});
