import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import type { ShareVisitor } from "@/lib/access/preview-shares";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { findState, targetOf } from "@/lib/features/previews/find";
import type { HandlerOf } from "@/lib/http/context";
import { created, sendPage } from "@/lib/http/responses";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type * as contract from "./contract";
import {
  maxComments,
  type NewPreviewComment,
  type PreviewComment,
  type PreviewCommentChange,
} from "./contract";
import {
  type CommentRow,
  countComments,
  deleteCommentRow,
  insertComment,
  lockComment,
  selectComments,
  setComment,
} from "./rows";

/** A user, or a visitor with a share. */
type Reader = Caller | ShareVisitor;

interface Asking {
  caller: Reader;
  params: { key: string; id: string };
}

const isVisitor = (reader: Reader): reader is ShareVisitor => "shareId" in reader;

/** The author of a comment as the reader may see it: a login is half of a credential, so a visitor only sees a name. */
function authorOf(
  { shareId, userId, login }: CommentRow,
  { name, isForVisitor }: Shown,
): PreviewComment["author"] {
  if (shareId !== null) return { type: "share", id: shareId };
  const named = name ? { name } : {};
  if (isForVisitor) return { type: "user", id: "", ...named };
  return { type: "user", id: userId ?? "", ...(login === null ? {} : { login }), ...named };
}

/** The name of the author if it was queried, and whether the reader is a visitor with a share. */
interface Shown {
  name?: string | null;
  isForVisitor?: boolean;
}

export const toComment = (row: CommentRow, shown: Shown = {}): PreviewComment => ({
  id: row.commentId,
  pointer: row.pointer,
  text: row.text,
  version: row.version,
  resolved: row.resolvedAt !== null,
  author: authorOf(row, shown),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The audit trail identifies a visitor by the share's id. */
function actingOf(reader: Reader): Acting {
  if (!isVisitor(reader)) return actingAs(reader);
  const { tenantId, shareId, requestId, address, agent } = reader;
  return { tenantId, actor: { type: "service", id: shareId }, requestId, address, agent };
}

/** The comments on a configuration, newest first. Throws 404. */
export async function listComments(
  caller: Reader,
  key: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<PreviewComment>> {
  const before = readCursor(cursor, 1)?.[0];
  const { tenantId } = caller;
  const { previewId } = await findState(caller, key);
  const rows = await selectComments({ tenantId, previewId }, before, limit + 1);
  const page = cutPage(rows, limit, ({ comment }) => [comment.commentId]);
  const isForVisitor = isVisitor(caller);
  const items = page.items.map(({ comment, name }) => toComment(comment, { name, isForVisitor }));
  return { items, next: page.next };
}

interface Noted {
  action: string;
  key: string;
  row: CommentRow;
  changes?: AuditChanges;
}

/** The audit trail has no text of comments: only the comment's id and its place. */
function note(tx: Transaction, caller: Reader, { action, key, row, changes }: Noted) {
  return record(tx, actingOf(caller), {
    action,
    target: targetOf(caller.siteId ?? "", row.previewId, key),
    changes: { comment: { after: row.commentId }, ...changes },
  });
}

/** Adds a comment. Throws 404, and 409 if there are too many. */
async function createComment({
  caller,
  params: { key },
  body,
}: Omit<Asking, "params"> & {
  params: { key: string };
  body: z.output<typeof NewPreviewComment>;
}): Promise<PreviewComment> {
  const { tenantId } = caller;
  const { previewId, version } = await findState(caller, key);
  const now = new Date();
  const author = isVisitor(caller)
    ? { userId: null, login: null, shareId: caller.shareId }
    : { userId: caller.userId, login: caller.login, shareId: null };
  const ids = { tenantId, previewId, commentId: newId("cmt"), version };
  const row = { ...ids, ...body, ...author, createdAt: now, updatedAt: now, resolvedAt: null };
  return transactionFor(caller, async (tx) => {
    await insertComment(tx, row);
    const changes = { pointer: { after: row.pointer } };
    await note(tx, caller, { action: "preview.commented", key, row, changes });
    const whose = isVisitor(caller) ? "visitors" : "team";
    if ((await countComments(tx, row, whose)) > maxComments[whose])
      throw new ApiError(
        "preview.limit-reached",
        `A preview configuration has at most ${maxComments[whose]} comments of ${whose === "team" ? "the team" : "visitors"}. Delete some first.`,
        "comments",
      );
    return toComment(row);
  });
}

const isOwn = (reader: Reader, { userId, shareId }: CommentRow) =>
  isVisitor(reader) ? shareId === reader.shareId : userId === reader.userId;

const ofOther = (detail: string) =>
  new ApiError("preview.comment-of-other", detail, "preview.configuration.write");

/** Changes a comment: users resolve any comment, and authors change their own. Throws 403 and 404. */
export async function updateComment({
  caller,
  params: { key, id },
  body: { resolved, ...given },
}: Asking & { body: z.output<typeof PreviewCommentChange> }): Promise<PreviewComment> {
  const { tenantId } = caller;
  const { previewId } = await findState(caller, key);
  return transaction(async (tx) => {
    const before = await lockComment(tx, { tenantId, previewId }, id);
    const { pointer = before.pointer, text = before.text } = given;
    const isRewritten = pointer !== before.pointer || text !== before.text;
    const isOpenToAll = !isVisitor(caller) && !isRewritten;
    if (!isOpenToAll && !isOwn(caller, before))
      throw ofOther("Only whoever wrote a comment changes it.");
    const isResolved = resolved ?? before.resolvedAt !== null;
    const resolvedAt = isResolved ? (before.resolvedAt ?? new Date()) : null;
    const set = { pointer, text, resolvedAt, updatedAt: new Date() };
    const row = await setComment(tx, before, id, set);
    const changes = { resolved: { before: before.resolvedAt !== null, after: isResolved } };
    await note(tx, caller, { action: "preview.comment-changed", key, row, changes });
    return toComment(row);
  });
}

/** Deletes a comment. Throws 403 and 404. */
export async function deleteComment({ caller, params: { key, id } }: Asking): Promise<void> {
  const { tenantId } = caller;
  const { previewId } = await findState(caller, key);
  await transaction(async (tx) => {
    const row = await lockComment(tx, { tenantId, previewId }, id);
    const mayWrite =
      !isVisitor(caller) && permissionScope(caller, "preview.configuration.write") !== undefined;
    if (!mayWrite && !isOwn(caller, row))
      throw ofOther("Only whoever wrote a comment, or may write the configuration, deletes it.");
    await deleteCommentRow(tx, row, id);
    await note(tx, caller, { action: "preview.comment-deleted", key, row });
  });
}

export const sendComments: HandlerOf<typeof contract.listPreviewComments> = async (context) =>
  sendPage(context, await listComments(context.caller, context.params.key, context.query));

export const sendNewComment: HandlerOf<typeof contract.createPreviewComment> = async (context) =>
  created(context, `/pim/preview/${context.params.key}/comments`, await createComment(context));
