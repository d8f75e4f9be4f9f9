import { and, eq, inArray } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import type { ShareVisitor } from "@/lib/access/preview-shares";
import { db, read, type Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import type { Validators } from "@/lib/protocol/conditional";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import { ApiError } from "@/lib/protocol/errors";
import { cut } from "@/lib/protocol/text";
import type { Content } from "./content";
import { isPreviewKey } from "./values";

/** The author of a write, and the kind of credential. */
export interface Author {
  userId: string;
  login: string;
  via: PreviewVia;
}

export interface WrittenRevision {
  version: number;
  hash: string;
  writtenAt: Date;
}

/** The target of a configuration in the audit trail. */
export const targetOf = (siteId: string, previewId: string, key: string) => ({
  type: "preview",
  id: previewId,
  name: `${siteId}/${key}`,
});

/** Revision numbers and hashes only: the content belongs to the tenant and is only in its revisions. */
export const changesTo = (
  before: { version: number; hash: string } | undefined,
  after: WrittenRevision,
) => ({
  revision: { ...(before ? { before: before.version } : {}), after: after.version },
  hash: { ...(before ? { before: before.hash } : {}), after: after.hash },
});

export interface NewRevision {
  tenantId: string;
  previewId: string;
  version: number;
  content: Content;
}

export async function insertRevision(
  tx: Transaction,
  { userId, login, via }: Author,
  { tenantId, previewId, version, content: { hash, bytes } }: NewRevision,
): Promise<WrittenRevision> {
  const writtenAt = new Date();
  await tx.insert(previewRevisions).values({
    tenantId,
    previewId,
    n: version,
    writtenAt,
    userId,
    login,
    via,
    hash,
    content: bytes,
  });
  return { version, hash, writtenAt };
}

/** Replaces the author's login of revisions by the id. */
export async function eraseAuthor(
  tx: Transaction,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await tx
    .update(previewRevisions)
    .set({ login: userId })
    .where(and(eq(previewRevisions.tenantId, tenantId), eq(previewRevisions.userId, userId)));
}

/** The current state of a configuration, without its bytes. */
export interface State {
  previewId: string;
  version: number;
  hash: string;
  writtenAt: Date;
  archivedAt: Date | null;
}

export interface StateWithContent extends State {
  content: Buffer<ArrayBuffer>;
}

const columns = `p.preview_id as "previewId", p.version, r.hash, r.written_at as "writtenAt", p.archived_at as "archivedAt"`;
const live = `from preview_configurations p join preview_revisions r on r.tenant_id = $1 and r.preview_id = p.preview_id and r.n = p.version
  where p.tenant_id = $1 and p.site_id = $2 and p.preview_key = $3 and p.deleted_at is null`;

export const notFound = (key: string) =>
  new ApiError("preview.not-found", `The site has no preview configuration "${cut(key, 128)}".`);

/** Throws 404 for an invalid key, as for an unused one. */
export function checkKey(key: string): void {
  if (!isPreviewKey(key)) throw notFound(key);
}

/** A user, or a visitor with a share, who only has access to one configuration. */
type Reader = Pick<Caller, "tenantId" | "siteId"> | ShareVisitor;

/** Every operation of previews requires the site header; a role at one site only sees that site. */
export function siteOf({ siteId }: Pick<Caller, "siteId">): string {
  if (siteId === undefined)
    throw new ApiError(
      "request.header-missing",
      "Send the header X-Service-Site.",
      "X-Service-Site",
    );
  return siteId;
}

function keyValues(caller: Reader, key: string): string[] {
  checkKey(key);
  if ("shareId" in caller && caller.key !== key) throw notFound(key);
  return [caller.tenantId, siteOf(caller), key];
}

const stateOfKey = `select ${columns} ${live}`;
const contentOfKey = `select ${columns}, r.content ${live}`;

/** Throws 404. */
export async function findState(caller: Reader, key: string): Promise<State> {
  const [row] = await read<State>("preview-state", stateOfKey, keyValues(caller, key));
  if (!row) throw notFound(key);
  return row;
}

/** Throws 404. */
export async function findContent(caller: Reader, key: string): Promise<StateWithContent> {
  const values = keyValues(caller, key);
  const [row] = await read<StateWithContent>("preview-content", contentOfKey, values);
  if (!row) throw notFound(key);
  return row;
}

export function validatorsOf({ hash, writtenAt }: Pick<State, "hash" | "writtenAt">): Validators {
  return { etag: `"${hash}"`, modifiedAt: writtenAt };
}

/** The sites and keys of configurations by their ids, including deleted ones. */
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
