import { and, eq, sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { codeFailures } from "@/lib/database/schema/schema";
import { freeCodes, maxCodeWaitSeconds } from "./values";

type Counted = Pick<typeof codeFailures.$inferSelect, "tenantId" | "userId" | "scope">;

/** Failures of longer ago count no more. */
const forgottenMs = 3_600_000;

const of = ({ tenantId, userId, scope }: Counted) =>
  and(
    eq(codeFailures.tenantId, tenantId),
    eq(codeFailures.userId, userId),
    eq(codeFailures.scope, scope),
  );

/** As `codeWaitSeconds`, in milliseconds, of what the row says. */
const waitMs = sql`case when ${codeFailures.failures} <= ${freeCodes}::int then 0
  else 1000 * least(${maxCodeWaitSeconds}::int, (1 << least(20, ${codeFailures.failures} - ${freeCodes}::int - 1))) end`;

/** Counts a try as a failure. False where it has to wait: of many tries at once no more pass than may. */
export async function countFailure(counted: Counted, now: number): Promise<boolean> {
  const { tenantId, userId, scope } = counted;
  const isOld = sql`${codeFailures.failedAt} < ${now - forgottenMs}::bigint`;
  const written = await db()
    .insert(codeFailures)
    .values({ tenantId, userId, scope, failures: 1, failedAt: now })
    .onConflictDoUpdate({
      target: [codeFailures.tenantId, codeFailures.userId, codeFailures.scope],
      set: {
        failures: sql`case when ${isOld} then 1 else ${codeFailures.failures} + 1 end`,
        failedAt: now,
      },
      setWhere: sql`${isOld} or ${codeFailures.failedAt} + ${waitMs} <= ${now}::bigint`,
    })
    .returning({ failures: codeFailures.failures });
  return written.length > 0;
}

export async function lastFailure(counted: Counted) {
  const [row] = await db().select().from(codeFailures).where(of(counted));
  return row;
}

export async function clearFailures(counted: Counted): Promise<void> {
  await db().delete(codeFailures).where(of(counted));
}
