import { and, desc, eq, gt, lt } from "drizzle-orm";
import type { z } from "zod";
import { type Caller, epochOfIssuer } from "@/lib/access/caller";
import {
  findShareByHash,
  isShareBacked,
  issueShareToken,
  type ShareState,
} from "@/lib/access/preview-shares";
import { newShareToken, sha256 } from "@/lib/access/secrets";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { previewShares } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { findState, siteOf, targetOf } from "@/lib/features/previews/find";
import type { HandlerOf } from "@/lib/http/context";
import { created, sendPage } from "@/lib/http/responses";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { publicUrl } from "@/lib/protocol/settings";
import type * as contract from "./contract";
import { maxShareDays, maxShares, type NewPreviewShare, type PreviewShare } from "./contract";

export type ShareRow = typeof previewShares.$inferSelect;

/** A preview configuration in its tenant. */
export interface OfPreview {
  tenantId: string;
  previewId: string;
}

const ofPreview = ({ tenantId, previewId }: OfPreview) =>
  and(eq(previewShares.tenantId, tenantId), eq(previewShares.previewId, previewId));

/** The shares of a configuration, newest first: at most `limit`, before the given one. */
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

/** Deletes the shares of a user who is erased: their notes may name people, and the links no longer work. */
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

/** A row with the fields that decide whether it is valid. */
export const stateOf = (row: ShareRow, siteId: string, key: string): ShareState => ({
  ...row,
  siteId,
  key,
});

type Shown = Pick<ShareRow, "shareId" | "validTo" | "comment" | "createdAt" | "userId">;

const toShare = (
  { shareId: id, validTo, comment, createdAt, userId: createdBy }: Shown,
  isBacked: boolean,
): PreviewShare => ({
  id,
  status: validTo <= new Date() ? "expired" : isBacked ? "active" : "void",
  validTo: validTo.toISOString(),
  comment,
  createdAt: createdAt.toISOString(),
  createdBy,
});

/** The shares of a configuration, newest first. Throws 404. */
async function listShares(
  caller: Caller,
  key: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<PreviewShare>> {
  const before = readCursor(cursor, 1)?.[0];
  const { tenantId } = caller;
  const { previewId } = await findState(caller, key);
  const rows = await selectShares({ tenantId, previewId }, before, limit + 1);
  const page = cutPage(rows, limit, (row) => [row.shareId]);
  // Few have not expired: the creators of expired ones are not queried.
  const items = page.items.map(async (row) => {
    const state = stateOf(row, siteOf(caller), key);
    return toShare(row, row.validTo > new Date() && (await isShareBacked(tenantId, state)));
  });
  return { items: await Promise.all(items), next: page.next };
}

/** Throws 400 for an instant that has passed or is too far ahead. */
function assertAhead(validTo: Date): void {
  const ahead = validTo.getTime() - Date.now();
  if (ahead > 0 && ahead <= maxShareDays * 86_400_000) return;
  const detail = `/validTo must be in the future, at most P${maxShareDays}D ahead.`;
  throw invalid([{ pointer: "/validTo", detail }]);
}

const linkOf = ({ tenantId, siteId = "" }: Caller, key: string, token: string) =>
  `${publicUrl()}/shared/${tenantId}/${siteId}/${encodeURIComponent(key)}#token=${token}`;

/** Creates a share. The link is only readable in this response. Throws 400, 404 and 409. */
async function createShare({
  caller,
  params: { key },
  body: { validTo, comment },
}: {
  caller: Caller;
  params: { key: string };
  body: z.output<typeof NewPreviewShare>;
}): Promise<PreviewShare & { url: string }> {
  assertAhead(validTo);
  const { tenantId, userId } = caller;
  const token = newShareToken();
  const { previewId } = await findState(caller, key);
  return transactionFor(caller, async (tx) => {
    const row = {
      ...{ tenantId, previewId, shareId: newId("shr"), tokenHash: sha256(token) },
      ...{ validTo, comment, createdAt: new Date(), userId },
      keyId: caller.kind === "apiKey" ? caller.credentialId : null,
      issuerEpoch: epochOfIssuer(caller),
    };
    await insertShare(tx, row);
    await record(tx, actingAs(caller), {
      action: "preview.shared",
      target: targetOf(siteOf(caller), previewId, key),
      changes: { share: { after: row.shareId }, validTo: { after: validTo.toISOString() } },
    });
    if ((await countValidShares(tx, row)) > maxShares)
      throw new ApiError(
        "preview.limit-reached",
        `A preview configuration has at most ${maxShares} shares. Revoke one first.`,
        "shares",
      );
    return { ...toShare(row, true), url: linkOf(caller, key, token) };
  });
}

/** Revokes a share. Throws 404. */
export async function revokeShare({
  caller,
  params: { key, id },
}: {
  caller: Caller;
  params: { key: string; id: string };
}): Promise<void> {
  const { tenantId } = caller;
  const { previewId } = await findState(caller, key);
  await transaction(async (tx) => {
    if (!(await deleteShareRow(tx, { tenantId, previewId }, id)))
      throw new ApiError("preview.share-not-found", "The preview configuration has no such share.");
    await record(tx, actingAs(caller), {
      action: "preview.share-revoked",
      target: targetOf(siteOf(caller), previewId, key),
      changes: { share: { before: id } },
    });
  });
}

const linkError = (code: "auth.link-invalid" | "link.void", detail: string) =>
  new ApiError(code, detail, undefined, { headers: challenge("PreviewShare") });

/** Exchanges the token of a link for an access token. Throws 401 for one that is not valid here, 403 for an expired one. */
export async function exchangeShare({
  tenantId,
  siteId,
  params: { key },
  body: { token },
}: {
  tenantId: string;
  siteId: string;
  params: { key: string };
  body: { token: string };
}) {
  const share = await findShareByHash(tenantId, sha256(token));
  if (!share || share.siteId !== siteId || share.key !== key)
    throw linkError("auth.link-invalid", "This link is not valid, or was revoked.");
  if (share.validTo <= new Date())
    throw new ApiError(
      "auth.link-expired",
      "This link has expired. Ask for a new one.",
      share.validTo.toISOString(),
      { headers: challenge("PreviewShare", "invalid_token") },
    );
  if (!(await isShareBacked(tenantId, share)))
    throw linkError("link.void", "This link is no longer valid. Ask for a new one.");
  const { accessToken, expiresAt } = issueShareToken(tenantId, share);
  return {
    accessToken,
    expiresIn: Math.max(1, Math.floor((expiresAt - Date.now()) / 1000)),
    share: share.shareId,
    validTo: share.validTo.toISOString(),
  };
}

export const sendShares: HandlerOf<typeof contract.listPreviewShares> = async (context) =>
  sendPage(context, await listShares(context.caller, context.params.key, context.query));

export const sendNewShare: HandlerOf<typeof contract.createPreviewShare> = async (context) =>
  created(context, `/pim/preview/${context.params.key}/shares`, await createShare(context));
