import { and, eq, inArray } from "drizzle-orm";
import { db, type Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";

/** Replaces the author's login of revisions by the id. */
export async function eraseAuthor(tx: Transaction, tenantId: string, userId: string) {
  await tx
    .update(previewRevisions)
    .set({ login: userId })
    .where(and(eq(previewRevisions.tenantId, tenantId), eq(previewRevisions.userId, userId)));
}

/** Where configurations are, by their ids: deleted ones too. */
export async function previewKeysOf(
  tenantId: string,
  previewIds: readonly string[],
): Promise<Map<string, { site: string; key: string }>> {
  const { previewId, siteId: site, previewKey: key } = previewConfigurations;
  const wanted = inArray(previewId, [...new Set(previewIds)]);
  const rows = await db()
    .select({ previewId, site, key })
    .from(previewConfigurations)
    .where(and(eq(previewConfigurations.tenantId, tenantId), wanted));
  return new Map(rows.map((row) => [row.previewId, row]));
}
