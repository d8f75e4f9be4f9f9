import { and, desc, eq, gt, lt } from "drizzle-orm";
import type { ShareState } from "@/lib/access/preview-shares";
import { db, type Transaction } from "@/lib/database/open";
import { previewShares } from "@/lib/database/schema/schema";

export type ShareRow = typeof previewShares.$inferSelect;

/** A preview configuration in its tenant. */
export interface OfPreview {
  tenantId: string;
  previewId: string;
}

const ofPreview = ({ tenantId, previewId }: OfPreview) =>
  and(eq(previewShares.tenantId, tenantId), eq(previewShares.previewId, previewId));

/** The shares of a configuration, newest first: `limit` of them, before one. */
export const selectShares = (of: OfPreview, before: string | undefined, limit: number) =>
  db()
    .select()
    .from(previewShares)
    .where(and(ofPreview(of), before === undefined ? undefined : lt(previewShares.shareId, before)))
    .orderBy(desc(previewShares.shareId))
    .limit(limit);

export async function insertShare(
  tx: Transaction,
  row: typeof previewShares.$inferInsert,
): Promise<void> {
  await tx.insert(previewShares).values(row);
}

export const countValidShares = (tx: Transaction, of: OfPreview): Promise<number> =>
  tx.$count(previewShares, and(ofPreview(of), gt(previewShares.validTo, new Date())));

/** Deletes the shares of somebody who is erased: the notes next to them may name people, and the links no longer work. */
export async function deleteSharesOf(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await tx
    .delete(previewShares)
    .where(and(eq(previewShares.tenantId, tenantId), eq(previewShares.userId, userId)));
}

/** Deletes a share; false where there is none. */
export async function deleteShareRow(
  tx: Transaction,
  of: OfPreview,
  shareId: string,
): Promise<boolean> {
  const gone = await tx
    .delete(previewShares)
    .where(and(ofPreview(of), eq(previewShares.shareId, shareId)))
    .returning({ shareId: previewShares.shareId });
  return gone.length > 0;
}

/** A row with what decides whether it holds. */
export const stateOf = (row: ShareRow, siteId: string, key: string): ShareState => ({
  ...row,
  siteId,
  key,
});
