import { and, asc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import { addUse, assertQuota, isBeyondQuota, takeFromQuota } from "@/lib/features/quotas/quotas";
import type { NewRevision } from "./find";

/** Older revisions of a configuration are deleted as new ones are written. */
const maxRevisions = 200;
/** Revisions of a configuration that are retained even if the tenant's quota is used up. */
const minRevisions = 10;

const size = sql<number>`octet_length(${previewRevisions.content})::float8`;

/** Deletes a configuration's revisions up to a number. Returns their bytes. */
async function deleteUpTo(
  tx: Transaction,
  tenantId: string,
  previewId: string,
  n: number,
): Promise<number> {
  const deleted = await tx
    .delete(previewRevisions)
    .where(
      and(
        eq(previewRevisions.tenantId, tenantId),
        eq(previewRevisions.previewId, previewId),
        lte(previewRevisions.n, n),
      ),
    )
    .returning({ size });
  return deleted.reduce((sum, one) => sum + one.size, 0);
}

/** Deletes a configuration's oldest revisions until this many bytes are free, but never the newest ten. Returns their bytes. */
async function deleteOldest(
  tx: Transaction,
  tenantId: string,
  { previewId, version, wanted }: { previewId: string; version: number; wanted: number },
): Promise<number> {
  const old = await tx
    .select({ n: previewRevisions.n, size })
    .from(previewRevisions)
    .where(
      and(
        eq(previewRevisions.tenantId, tenantId),
        eq(previewRevisions.previewId, previewId),
        lte(previewRevisions.n, version - minRevisions),
      ),
    )
    .orderBy(asc(previewRevisions.n));
  let [freed, last] = [0, 0];
  for (const one of old) {
    if (freed >= wanted) break;
    [freed, last] = [freed + one.size, one.n];
  }
  return last === 0 ? 0 : deleteUpTo(tx, tenantId, previewId, last);
}

/** Permanently deletes restorable configurations, the longest deleted first, until this many bytes are free. Returns their bytes. */
async function emptyTrash(tx: Transaction, tenantId: string, wanted: number): Promise<number> {
  let freed = 0;
  while (freed < wanted) {
    const [oldest] = await tx
      .select({ previewId: previewConfigurations.previewId })
      .from(previewConfigurations)
      .where(
        and(
          eq(previewConfigurations.tenantId, tenantId),
          isNotNull(previewConfigurations.deletedAt),
        ),
      )
      .orderBy(asc(previewConfigurations.deletedAt))
      .limit(1);
    if (!oldest) break;
    const own = and(
      eq(previewRevisions.tenantId, tenantId),
      eq(previewRevisions.previewId, oldest.previewId),
    );
    const [bytes] = await tx
      .select({ size: sql<number>`coalesce(sum(${size}), 0)::float8` })
      .from(previewRevisions)
      .where(own);
    // Its revisions are deleted with it. It may have been restored since the query.
    const gone = await tx
      .delete(previewConfigurations)
      .where(
        and(
          eq(previewConfigurations.tenantId, tenantId),
          eq(previewConfigurations.previewId, oldest.previewId),
          isNotNull(previewConfigurations.deletedAt),
        ),
      )
      .returning({ previewId: previewConfigurations.previewId });
    if (gone.length > 0) freed += bytes?.size ?? 0;
  }
  return freed;
}

/**
 * Counts a revision that this transaction wrote. If the tenant's quota is used up, frees space: first by deleting older revisions of
 * this configuration, then deleted configurations. Throws 429 if that is not enough. The transaction must have locked the tenant's row.
 */
export async function assertBytesWithinQuota(
  tx: Transaction,
  { tenantId, previewId, version, content }: NewRevision,
): Promise<void> {
  const outlived = await deleteUpTo(tx, tenantId, previewId, version - maxRevisions);
  let beyond = await addUse(tx, tenantId, "preview-bytes", content.bytes.length - outlived);
  if (beyond <= 0) return;
  const older = await deleteOldest(tx, tenantId, { previewId, version, wanted: beyond });
  beyond -= older;
  const trash = beyond > 0 ? await emptyTrash(tx, tenantId, beyond) : 0;
  await takeFromQuota(tx, tenantId, "preview-bytes", -older - trash);
}

/** A deleted configuration still counts: it is restored only in a tenant within its quota. Throws 429. */
export async function assertRoomForRestored(tx: Transaction, tenantId: string): Promise<void> {
  await assertQuota(tx, tenantId, "preview-configurations");
  await takeFromQuota(tx, tenantId, "preview-bytes", 0);
}

/**
 * Frees space for a configuration that this transaction created: if the quota is used up, permanently deletes the longest deleted
 * one. Throws 429 if there is none. The transaction must have locked the tenant's row.
 */
export async function assertConfigurationsWithinQuota(
  tx: Transaction,
  tenantId: string,
): Promise<void> {
  if (!(await isBeyondQuota(tx, tenantId, "preview-configurations"))) return;
  const freed = await emptyTrash(tx, tenantId, 1);
  if (freed > 0) await addUse(tx, tenantId, "preview-bytes", -freed);
  await assertQuota(tx, tenantId, "preview-configurations");
}
