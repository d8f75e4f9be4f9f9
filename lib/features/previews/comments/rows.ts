import { and, desc, eq, gt, isNotNull, isNull, lt } from "drizzle-orm";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { previewComments } from "@/lib/database/schema/schema";
import { ownerColumns, usersOf } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";

export type CommentRow = typeof previewComments.$inferSelect;

/** A preview configuration in its tenant. */
export interface OfPreview {
  tenantId: string;
  previewId: string;
}

const ofPreview = ({ tenantId, previewId }: OfPreview) =>
  and(eq(previewComments.tenantId, tenantId), eq(previewComments.previewId, previewId));

const notFound = () =>
  new ApiError("preview.comment-not-found", "The preview configuration has no such comment.");

/** The comments on a configuration with the names of the users among their authors, newest first: at most `limit`, before the given one. */
export const selectComments = (of: OfPreview, before: string | undefined, limit: number) =>
  db()
    .select({ comment: previewComments, name: ownerColumns.name })
    .from(previewComments)
    .leftJoin(...usersOf(of.tenantId, previewComments.userId))
    .where(
      and(ofPreview(of), before === undefined ? undefined : lt(previewComments.commentId, before)),
    )
    .orderBy(desc(previewComments.commentId))
    .limit(limit);

export async function insertComment(tx: Transaction, row: CommentRow): Promise<void> {
  await tx.insert(previewComments).values(row);
}

/** The number of comments by the team, or by visitors with a share. */
export const countComments = (
  tx: Executor,
  of: OfPreview,
  whose: "team" | "visitors",
): Promise<number> => {
  const { shareId } = previewComments;
  return tx.$count(
    previewComments,
    and(ofPreview(of), whose === "team" ? isNull(shareId) : isNotNull(shareId)),
  );
};

/** Locks a comment by a write that changes nothing. Throws 404. */
export async function lockComment(
  tx: Transaction,
  of: OfPreview,
  commentId: string,
): Promise<CommentRow> {
  return setComment(tx, of, commentId, { previewId: of.previewId });
}

/** Changes a comment and returns the new row. Throws 404. */
export async function setComment(
  tx: Transaction,
  of: OfPreview,
  commentId: string,
  set: Partial<CommentRow>,
): Promise<CommentRow> {
  const [row] = await tx
    .update(previewComments)
    .set(set)
    .where(and(ofPreview(of), eq(previewComments.commentId, commentId)))
    .returning();
  if (!row) throw notFound();
  return row;
}

export async function deleteCommentRow(
  tx: Transaction,
  of: OfPreview,
  commentId: string,
): Promise<void> {
  await tx
    .delete(previewComments)
    .where(and(ofPreview(of), eq(previewComments.commentId, commentId)));
}

const ofUser = (tenantId: string, userId: string) =>
  and(eq(previewComments.tenantId, tenantId), eq(previewComments.userId, userId));

/** The comments that a user wrote, oldest first: at most `limit`, after the given one. */
export const selectCommentsOf = (
  { tenantId, userId }: { tenantId: string; userId: string },
  after: string,
  limit: number,
) =>
  db()
    .select()
    .from(previewComments)
    .where(and(ofUser(tenantId, userId), gt(previewComments.commentId, after)))
    .orderBy(previewComments.commentId)
    .limit(limit);

/** Deletes a user's comments: the audit trail permanently links their ids to the user. */
export async function deleteCommentsOf(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await tx.delete(previewComments).where(ofUser(tenantId, userId));
}
