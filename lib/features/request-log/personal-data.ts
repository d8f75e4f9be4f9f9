import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";

/** Deletes the logged requests of somebody, with their addresses and agents. */
export async function eraseRequestsOf(tx: Transaction, tenantId: string, userId: string) {
  await tx
    .delete(refusedRequests)
    .where(and(eq(refusedRequests.tenantId, tenantId), eq(refusedRequests.userId, userId)));
}
