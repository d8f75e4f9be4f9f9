import { sql } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations } from "@/lib/database/schema/schema";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import { ApiError } from "@/lib/protocol/errors";
import type { Content } from "./content";
import type { Preview } from "./contract";
import { siteOf } from "./find";
import { getPreview } from "./list";
import { type Author, changesTo, insertRevision, targetOf } from "./revision";
import { assertBytesWithinQuota, assertConfigurationsWithinQuota } from "./storage";

interface NewConfiguration {
  siteId: string;
  key: string;
  content: Content;
}

/** Creates the configuration; false when the site has one of that key. */
export async function addPreview(
  tx: Transaction,
  acting: Acting,
  author: Author,
  { siteId, key, content }: NewConfiguration,
): Promise<boolean> {
  const { tenantId } = acting;
  const previewId = newId("pvw");
  const inserted = await tx
    .insert(previewConfigurations)
    .values({ tenantId, previewId, siteId, previewKey: key, version: 1, ...content.summary })
    .onConflictDoNothing({
      target: [
        previewConfigurations.tenantId,
        previewConfigurations.siteId,
        previewConfigurations.previewKey,
      ],
      where: sql`deleted_at is null`,
    })
    .returning({ previewId: previewConfigurations.previewId });
  if (inserted.length === 0) return false;
  const revision = { tenantId, previewId, version: 1, content };
  const written = await insertRevision(tx, author, revision);
  await record(tx, acting, {
    action: "preview.created",
    target: targetOf(siteId, previewId, key),
    changes: changesTo(undefined, written),
  });
  await assertConfigurationsWithinQuota(tx, tenantId);
  await assertBytesWithinQuota(tx, revision);
  return true;
}

/** Throws 409 for a key in use. */
export async function createPreview(
  caller: Caller,
  key: string,
  content: Content,
  via: PreviewVia,
): Promise<Preview> {
  return transactionFor(caller, async (tx) => {
    const isNew = await addPreview(
      tx,
      actingAs(caller),
      { ...caller, via },
      { siteId: siteOf(caller), key, content },
    );
    if (!isNew)
      throw new ApiError(
        "preview.key-taken",
        `The site has a preview configuration "${key}" already.`,
        "/key",
      );
    return getPreview(caller, key, tx);
  });
}
