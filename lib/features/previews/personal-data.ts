import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewRevisions } from "@/lib/database/schema/schema";

/** Replaces the login beside the revisions that somebody wrote by the id. */
export async function eraseAuthor(tx: Transaction, tenantId: string, userId: string) {
  await tx
    .update(previewRevisions)
    .set({ login: userId })
    .where(and(eq(previewRevisions.tenantId, tenantId), eq(previewRevisions.userId, userId)));
}
