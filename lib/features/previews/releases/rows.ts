import { and, desc, eq, inArray, lt, lte } from "drizzle-orm";
import { globalStatements } from "@/lib/database/global";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { previewReleases } from "@/lib/database/schema/schema";
import { readAllTenants } from "@/lib/database/tenant-scans";
import type { ReleaseState } from "@/lib/protocol/documents/preview";
import { ApiError } from "@/lib/protocol/errors";
import type { Release } from "./contract";

export type ReleaseRow = typeof previewReleases.$inferSelect;

export interface ReleaseKey {
  tenantId: string;
  siteId: string;
  releaseId: string;
}

/** States of a release that can still be published. */
export const openStates = ["open", "scheduled", "failed"] as const satisfies ReleaseState[];

const byKey = ({ tenantId, siteId, releaseId }: ReleaseKey) =>
  and(
    eq(previewReleases.tenantId, tenantId),
    eq(previewReleases.siteId, siteId),
    eq(previewReleases.releaseId, releaseId),
  );

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function toRelease(row: ReleaseRow): Release {
  const { releaseId: id, name, state, problems, userId, schedulerUserId } = row;
  return {
    ...{ id, name, state, problems },
    entries: row.entries.map(({ key, stage, version, publishedVersion = null }) => ({
      ...{ key, stage, version, publishedVersion },
    })),
    at: iso(row.publishAt),
    createdAt: row.createdAt.toISOString(),
    createdBy: userId,
    scheduledBy: schedulerUserId,
    endedAt: iso(row.endedAt),
  };
}

const notFound = () => new ApiError("release.not-found", "There is no such release at this site.");

/** Throws 404. */
export async function getReleaseRow(key: ReleaseKey, on: Executor = db()): Promise<ReleaseRow> {
  const [row] = await on.select().from(previewReleases).where(byKey(key));
  if (!row) throw notFound();
  return row;
}

/** The releases of a site, newest first: at most `limit`, before the given one. */
export const selectReleases = (
  { tenantId, siteId }: Omit<ReleaseKey, "releaseId">,
  before: string | undefined,
  limit: number,
) =>
  db()
    .select()
    .from(previewReleases)
    .where(
      and(
        eq(previewReleases.tenantId, tenantId),
        eq(previewReleases.siteId, siteId),
        before === undefined ? undefined : lt(previewReleases.releaseId, before),
      ),
    )
    .orderBy(desc(previewReleases.releaseId))
    .limit(limit);

export async function insertRelease(
  tx: Transaction,
  row: typeof previewReleases.$inferInsert,
): Promise<ReleaseRow> {
  const [created] = await tx.insert(previewReleases).values(row).returning();
  if (!created) throw new Error("A release was gone as soon as created.");
  return created;
}

type Settable = Partial<Omit<ReleaseRow, "tenantId" | "siteId" | "releaseId">>;

/** Changes a release in one of these states and, if an instant is given, only if it is due then. Undefined if none matches. */
export async function setRelease(
  on: Executor,
  key: ReleaseKey,
  { states, dueAt }: { states: readonly ReleaseState[]; dueAt?: Date },
  set: Settable,
): Promise<ReleaseRow | undefined> {
  const isDue = dueAt === undefined ? undefined : lte(previewReleases.publishAt, dueAt);
  const [row] = await on
    .update(previewReleases)
    .set(set)
    .where(and(byKey(key), inArray(previewReleases.state, [...states]), isDue))
    .returning();
  return row;
}

/** Locks a release by a write that changes nothing. Throws 404. */
export async function lockRelease(tx: Transaction, key: ReleaseKey): Promise<ReleaseRow> {
  const { name } = await getReleaseRow(key, tx);
  const [row] = await tx.update(previewReleases).set({ name }).where(byKey(key)).returning();
  if (!row) throw notFound();
  return row;
}

export async function deleteReleaseRow(tx: Transaction, key: ReleaseKey): Promise<void> {
  await tx.delete(previewReleases).where(byKey(key));
}

/** The due releases of all tenants, the longest due first. */
export const dueReleases = (now: Date): Promise<readonly ReleaseKey[]> =>
  readAllTenants<ReleaseKey>("due-releases", globalStatements.dueReleases, [now]);
