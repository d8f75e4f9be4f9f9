import { and, desc, eq, lt } from "drizzle-orm";
import { db, foreignKeyViolation } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { perProcess } from "@/lib/protocol/per-process";
import type { RejectedRequest } from "./note";

export const keptMilliseconds = 7 * 24 * 3600 * 1000;
/** A tenant's newest; older ones go when this process has written so many more. */
const maxRowsOfTenant = 5000;
const trimEvery = 500;

/** Rows written since the last trim, by tenant. */
const untrimmed = perProcess("request-log-untrimmed", () => new Map<string, number>());

/** Deletes all but the tenant's newest. */
async function trim(tenantId: string): Promise<void> {
  const [oldest] = await db()
    .select({ id: refusedRequests.refusalId })
    .from(refusedRequests)
    .where(eq(refusedRequests.tenantId, tenantId))
    .orderBy(desc(refusedRequests.refusalId))
    .offset(maxRowsOfTenant - 1)
    .limit(1);
  if (oldest)
    await db()
      .delete(refusedRequests)
      .where(and(eq(refusedRequests.tenantId, tenantId), lt(refusedRequests.refusalId, oldest.id)));
}

/** Writes a tenant's rejections in one statement. Of a tenant that does not exist nothing is kept. */
export async function writeRejectedRequests(
  tenantId: string,
  rejected: RejectedRequest[],
): Promise<void> {
  try {
    await db().insert(refusedRequests).values(rejected);
  } catch (error) {
    if (foreignKeyViolation(error) !== undefined) return;
    throw error;
  }
  const written = (untrimmed().get(tenantId) ?? 0) + rejected.length;
  untrimmed().set(tenantId, written % trimEvery);
  if (written >= trimEvery) await trim(tenantId);
}
