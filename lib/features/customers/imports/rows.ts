import { and, desc, eq, inArray, isNotNull, isNull, lt, notInArray, sql } from "drizzle-orm";
import { databaseOn, db, type Executor, lane, type Transaction } from "@/lib/database/open";
import {
  customerImportChunks as chunks,
  customerImports as imports,
} from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import type { CustomerImport } from "./contract";

/** The number of imports kept of a tenant, including the open one. */
export const keptImports = 100;
const keptImportDays = 30;

/** The connections of imports. */
export const store = () => databaseOn(lane("imports"));

export type ImportRow = typeof imports.$inferSelect;

export interface ImportKey {
  tenantId: string;
  importId: string;
}

export const byKey = ({ tenantId, importId }: ImportKey) =>
  and(eq(imports.tenantId, tenantId), eq(imports.importId, importId));

const ofImport = ({ tenantId, importId }: ImportKey) =>
  and(eq(chunks.tenantId, tenantId), eq(chunks.importId, importId));

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function toImport(row: ImportRow): CustomerImport {
  const { importId: id, state, total, done, failed, userId: createdBy } = row;
  const times = { startedAt: iso(row.startedAt), endedAt: iso(row.endedAt) };
  const createdAt = row.createdAt.toISOString();
  return { id, state, total, done, failed, createdBy, createdAt, ...times };
}

/** An import of that site. Throws 404. */
export async function getImportRow(
  { tenantId, siteId, importId }: ImportKey & { siteId: string },
  on: Executor = db(),
): Promise<ImportRow> {
  const atSite = eq(imports.siteId, siteId);
  const [row] = await on
    .select()
    .from(imports)
    .where(and(byKey({ tenantId, importId }), atSite));
  if (!row)
    throw new ApiError("customer.import-not-found", "There is no such import at this site.");
  return row;
}

/** At most `limit` imports of a site before the given one, newest first. */
export const selectImports = (
  tenantId: string,
  siteId: string,
  { before, limit }: { before: string | undefined; limit: number },
) =>
  db()
    .select()
    .from(imports)
    .where(
      and(
        eq(imports.tenantId, tenantId),
        eq(imports.siteId, siteId),
        before === undefined ? undefined : lt(imports.importId, before),
      ),
    )
    .orderBy(desc(imports.importId))
    .limit(limit);

export async function findOpenImport(tenantId: string): Promise<ImportRow | undefined> {
  const open = and(eq(imports.tenantId, tenantId), isNull(imports.endedAt));
  return (await db().select().from(imports).where(open))[0];
}

/** Adds an import; undefined while the tenant has an open one. */
export async function insertImport(
  row: typeof imports.$inferInsert,
): Promise<ImportRow | undefined> {
  const [created] = await db()
    .insert(imports)
    .values(row)
    .onConflictDoNothing({ target: imports.tenantId, where: sql`ended_at is null` })
    .returning();
  return created;
}

/** Deletes all but the newest `kept` imports. */
export async function pruneImports(tenantId: string, kept: number): Promise<void> {
  const newest = await db()
    .select({ id: imports.importId })
    .from(imports)
    .where(eq(imports.tenantId, tenantId))
    .orderBy(desc(imports.importId))
    .limit(kept);
  const old = notInArray(
    imports.importId,
    newest.map(({ id }) => id),
  );
  await db()
    .delete(imports)
    .where(and(eq(imports.tenantId, tenantId), isNotNull(imports.endedAt), old));
}

/** The increments to the counts of an import. */
export const added = ({ bytes = 0, total = 0, done = 0, failed = 0 }) => ({
  bytes: sql`${imports.bytes} + ${bytes}`,
  total: sql`${imports.total} + ${total}`,
  done: sql`${imports.done} + ${done}`,
  failed: sql`${imports.failed} + ${failed}`,
});

/** The columns of an import that is started or resumed. */
export const started = () => ({
  state: "running",
  startedAt: sql`coalesce(${imports.startedAt}, ${new Date().toISOString()}::timestamptz)`,
});

/** Changes an import that is in one of these states, and leased by `holder` if given. Otherwise returns undefined. */
export async function setImport(
  on: Executor,
  { holder, ...key }: ImportKey & { holder?: string },
  states: ImportRow["state"][],
  set: Record<string, unknown>,
): Promise<ImportRow | undefined> {
  const held = holder === undefined ? undefined : eq(imports.leaseHolder, holder);
  const [row] = await on
    .update(imports)
    .set({ ...set, leaseBeat: sql`${imports.leaseBeat} + 1` })
    .where(and(byKey(key), inArray(imports.state, states), held))
    .returning();
  return row;
}

/** Takes the lease of an import if its counter has not changed since it was read. */
export async function claimImport(key: ImportKey, beat: number, holder: string): Promise<boolean> {
  const rows = await store()
    .update(imports)
    .set({ leaseHolder: holder, leaseBeat: sql`${imports.leaseBeat} + 1` })
    .where(
      and(byKey(key), eq(imports.leaseBeat, beat), inArray(imports.state, ["queued", "running"])),
    )
    .returning({ id: imports.importId });
  return rows.length > 0;
}

/** Deletes an import whose upload stopped; with `beat`, only if its counter has not changed. */
export async function deleteReceiving(key: ImportKey, beat?: number): Promise<void> {
  const unchanged = beat === undefined ? undefined : eq(imports.leaseBeat, beat);
  const [gone] = await store()
    .update(imports)
    .set({ state: "cancelled", endedAt: new Date() })
    .where(and(byKey(key), eq(imports.state, "receiving"), unchanged))
    .returning({ id: imports.importId });
  if (!gone) return;
  await deleteChunks(key);
  await store().delete(imports).where(byKey(key));
}

export async function insertChunk(
  tx: Transaction,
  key: ImportKey,
  { firstLine, content }: { firstLine: number; content: Buffer },
): Promise<void> {
  await tx.insert(chunks).values({ ...key, firstLine, content });
}

/** The first batch that is not yet imported. */
export async function firstChunk(
  key: ImportKey,
): Promise<{ firstLine: number; content: Buffer } | undefined> {
  const [chunk] = await store()
    .select({ firstLine: chunks.firstLine, content: chunks.content })
    .from(chunks)
    .where(ofImport(key))
    .orderBy(chunks.firstLine)
    .limit(1);
  return chunk;
}

/** Deletes a batch; false if it was already deleted. */
export async function deleteChunk(
  tx: Transaction,
  key: ImportKey,
  firstLine: number,
): Promise<boolean> {
  const rows = await tx
    .delete(chunks)
    .where(and(ofImport(key), eq(chunks.firstLine, firstLine)))
    .returning({ firstLine: chunks.firstLine });
  return rows.length > 0;
}

const chunksAtOnce = 100;

/** Deletes the remaining lines of an import in batches. */
export async function deleteChunks(key: ImportKey): Promise<void> {
  for (let left = true; left; ) {
    const rows = await store()
      .select({ firstLine: chunks.firstLine })
      .from(chunks)
      .where(ofImport(key))
      .limit(chunksAtOnce);
    const lines = rows.map(({ firstLine }) => firstLine);
    left = lines.length === chunksAtOnce;
    if (lines.length > 0)
      await store()
        .delete(chunks)
        .where(and(ofImport(key), inArray(chunks.firstLine, lines)));
  }
}

/** Deletes a tenant's imports that ended before an instant, and the remaining lines of all ended ones. */
async function cleanEnded(tenantId: string, before: Date): Promise<void> {
  const ended = and(eq(imports.tenantId, tenantId), isNotNull(imports.endedAt));
  const rows = await db().select({ importId: imports.importId }).from(imports).where(ended);
  for (const { importId } of rows) await deleteChunks({ tenantId, importId });
  await db()
    .delete(imports)
    .where(and(ended, lt(imports.endedAt, before)));
}

/** Deletes imports that ended 30 days ago, and remaining lines of cancelled ones. */
export const forgetOldImports = (tenantId: string, now: Date): Promise<void> =>
  cleanEnded(tenantId, new Date(now.getTime() - keptImportDays * 86_400_000));
