import { and, desc, eq, gt, isNotNull, isNull, lte } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { transaction, uniqueViolation } from "@/lib/database/open";
import { previewConfigurations } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { checkPreconditions, dependsOnState, type Preconditions } from "@/lib/protocol/conditional";
import { ApiError } from "@/lib/protocol/errors";
import type { Preview } from "./contract";
import { checkKey, findState, siteOf, targetOf, validatorsOf } from "./find";
import { getPreview, restorableSince } from "./list";
import { assertRoomForRestored } from "./storage";

const { tenantId, siteId, previewId, previewKey, version, archivedAt, deletedAt } =
  previewConfigurations;

const atSite = (caller: Caller) => and(eq(tenantId, caller.tenantId), eq(siteId, siteOf(caller)));

async function setArchived(caller: Caller, key: string, at: Date | null): Promise<Preview> {
  checkKey(key);
  return transactionFor(caller, async (tx) => {
    const [before] = await tx
      .update(previewConfigurations)
      .set({ archivedAt: at })
      .where(
        and(
          atSite(caller),
          eq(previewKey, key),
          isNull(deletedAt),
          at ? isNull(archivedAt) : isNotNull(archivedAt),
        ),
      )
      .returning({ previewId });
    if (!before) return getPreview(caller, key, tx);
    const action = at ? "preview.archived" : "preview.unarchived";
    const changes = { archived: { before: !at, after: Boolean(at) } };
    await record(tx, actingAs(caller), {
      action,
      target: targetOf(siteOf(caller), before.previewId, key),
      changes,
    });
    return getPreview(caller, key, tx);
  });
}

/** Archives a configuration: a PUT then gets 409. Archiving again changes nothing. Throws 404. */
export const archivePreview = (caller: Caller, key: string) => setArchived(caller, key, new Date());

/** Throws 404. */
export const unarchivePreview = (caller: Caller, key: string) => setArchived(caller, key, null);

/** Deletes the configuration, which can be restored for 30 days. Throws 404, 412. */
export async function deletePreview(
  caller: Caller,
  key: string,
  preconditions: Preconditions,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const state = await findState(caller, key);
    checkPreconditions(preconditions, validatorsOf(state));
    isDone = await transaction(async (tx) => {
      const unchanged = dependsOnState(preconditions) ? eq(version, state.version) : undefined;
      const deleted = await tx
        .update(previewConfigurations)
        .set({ deletedAt: new Date() })
        .where(and(atSite(caller), eq(previewId, state.previewId), isNull(deletedAt), unchanged))
        .returning({ version });
      if (!deleted[0]) return false;
      const changes = { revision: { before: deleted[0].version } };
      await record(tx, actingAs(caller), {
        action: "preview.deleted",
        target: targetOf(siteOf(caller), state.previewId, key),
        changes,
      });
      return true;
    });
  }
}

/** Restores the last deleted configuration of this key. Throws 404 after 30 days, 409 when the key is in use again, 429 beyond a quota. */
export async function restorePreview(caller: Caller, key: string): Promise<Preview> {
  checkKey(key);
  const taken = () =>
    new ApiError("preview.key-taken", `The site has a preview configuration "${key}" already.`);
  try {
    return await transactionFor(caller, async (tx) => {
      const [deleted] = await tx
        .select({ previewId })
        .from(previewConfigurations)
        .where(and(atSite(caller), eq(previewKey, key), gt(deletedAt, restorableSince())))
        .orderBy(desc(deletedAt))
        .limit(1);
      if (!deleted) {
        await getPreview(caller, key, tx);
        throw taken();
      }
      const mine = and(
        eq(tenantId, caller.tenantId),
        eq(previewId, deleted.previewId),
        isNotNull(deletedAt),
      );
      const [restored] = await tx
        .update(previewConfigurations)
        .set({ deletedAt: null })
        .where(mine)
        .returning({ version });
      if (!restored) throw taken();
      const changes = { revision: { after: restored.version } };
      await record(tx, actingAs(caller), {
        action: "preview.restored",
        target: targetOf(siteOf(caller), deleted.previewId, key),
        changes,
      });
      await assertRoomForRestored(tx, caller.tenantId);
      return getPreview(caller, key, tx);
    });
  } catch (error) {
    throw uniqueViolation(error) === "preview_configurations_key_unique" ? taken() : error;
  }
}

/** Deletes configurations that can no longer be restored; called by the hourly cleanup. */
export async function forgetDeletedPreviews(tenant: string): Promise<void> {
  await transaction((tx) =>
    tx
      .delete(previewConfigurations)
      .where(and(eq(tenantId, tenant), lte(deletedAt, restorableSince()))),
  );
}
