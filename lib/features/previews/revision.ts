import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewRevisions } from "@/lib/database/schema/schema";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import type { Content } from "./content";

/** Who writes, and by what kind of credential. */
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

/** How the audit trail names a configuration. */
export const targetOf = (siteId: string, previewId: string, key: string) => ({
  type: "preview",
  id: previewId,
  name: `${siteId}/${key}`,
});

/** Revision numbers and hashes only: the content is the tenant's own and stays in its revisions. */
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
