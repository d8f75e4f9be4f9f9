import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { db, type Executor, type Transaction, transaction } from "@/lib/database/open";
import { tenantQuotas, tenants } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { type QuotaName, quotaNames, quotas } from "./values";

const one = (tenantId: string, quota: QuotaName) =>
  and(eq(tenantQuotas.tenantId, tenantId), eq(tenantQuotas.quota, quota));

interface Limit {
  max: number;
  isDefault: boolean;
  /** Null if it is not stored, or not used yet. */
  used: number | null;
}

type LimitRow = Record<"max" | "used", number | null> & { kind: string };

function limitOf(quota: QuotaName, row: LimitRow | undefined): Limit {
  const { limit, sandboxLimit } = quotas[quota];
  const byDefault = row?.kind === "sandbox" ? sandboxLimit : limit;
  return { max: row?.max ?? byDefault, isDefault: row?.max == null, used: row?.used ?? null };
}

const limitColumns = { kind: tenants.kind, max: tenantQuotas.max, used: tenantQuotas.used };

/** The limit of a quota, and its stored use. */
export async function findLimit(on: Executor, tenantId: string, quota: QuotaName): Promise<Limit> {
  const [row] = await on
    .select(limitColumns)
    .from(tenants)
    .leftJoin(tenantQuotas, and(one(tenantId, quota), eq(tenantQuotas.tenantId, tenants.tenantId)))
    .where(eq(tenants.tenantId, tenantId));
  return limitOf(quota, row);
}

/** The limit of a quota for the tenant. */
export const findQuotaLimit = async (tenantId: string, quota: QuotaName): Promise<number> =>
  (await findLimit(db(), tenantId, quota)).max;

function exceeded(quota: QuotaName, max: number): ApiError {
  const { label } = quotas[quota];
  return new ApiError(
    "quota.exceeded",
    `${label}: the tenant's limit is ${max}. Delete what is not needed, or ask support for a higher limit.`,
    quota,
  );
}

/**
 * Throws 429 if the tenant exceeds the quota. Call it after the write and while the transaction has the tenant's row locked, which is so
 * after `record` or `withAccessChange`: then two writers cannot both use the last unit.
 */
export async function assertQuota(
  tx: Transaction,
  tenantId: string,
  quota: Exclude<QuotaName, KeptQuota>,
  userId?: string,
): Promise<void> {
  const { max } = await findLimit(tx, tenantId, quota);
  if ((await countUse(tx, tenantId, quota, userId)) > max) throw exceeded(quota, max);
}

/** Whether the tenant exceeds the quota; call it like `assertQuota`. */
export async function isBeyondQuota(
  tx: Transaction,
  tenantId: string,
  quota: Exclude<QuotaName, KeptQuota>,
): Promise<boolean> {
  const { max } = await findLimit(tx, tenantId, quota);
  return (await countUse(tx, tenantId, quota)) > max;
}

/** Recounts a stored quota and locks its row until the transaction ends. */
async function recount(tx: Transaction, tenantId: string, quota: KeptQuota): Promise<number> {
  const countedAt = new Date();
  await tx
    .insert(tenantQuotas)
    .values({ tenantId, quota, countedAt })
    .onConflictDoUpdate({
      target: [tenantQuotas.tenantId, tenantQuotas.quota],
      set: { countedAt },
    });
  const used = await countUse(tx, tenantId, quota);
  await tx.update(tenantQuotas).set({ used }).where(one(tenantId, quota));
  return used;
}

/**
 * Adds the writes of this transaction to a stored quota, or subtracts its deletions: one of the last statements of the transaction, because
 * it locks a row that others need. Returns by how much the use exceeds the limit; 0 or less is within it.
 */
export async function addUse(
  tx: Transaction,
  tenantId: string,
  quota: KeptQuota,
  amount: number,
): Promise<number> {
  const [added] = await tx
    .update(tenantQuotas)
    .set({ used: sql`${tenantQuotas.used} + ${amount}` })
    .where(and(one(tenantId, quota), sql`${tenantQuotas.used} is not null`))
    .returning({ used: tenantQuotas.used });
  const used = added?.used ?? (await recount(tx, tenantId, quota));
  return used - (await findLimit(tx, tenantId, quota)).max;
}

/** Like `addUse`. Throws 429 beyond the limit. */
export async function takeFromQuota(
  tx: Transaction,
  tenantId: string,
  quota: KeptQuota,
  amount: number,
): Promise<void> {
  if ((await addUse(tx, tenantId, quota, amount)) <= 0) return;
  throw exceeded(quota, (await findLimit(tx, tenantId, quota)).max);
}

/** The tenant's use of a quota: the stored number, or a count. */
export async function findUse(tenantId: string, quota: QuotaName): Promise<number> {
  const { used } = await findLimit(db(), tenantId, quota);
  return isKept(quota) && used !== null ? used : countUse(db(), tenantId, quota);
}

/** Every quota of the tenant with its limit and its use, in two statements: one for the limits, one for all counts. */
export async function findLimitsAndUses(
  tenantId: string,
): Promise<(Limit & { quota: QuotaName; used: number })[]> {
  const rows = await db()
    .select({ quota: tenantQuotas.quota, ...limitColumns })
    .from(tenants)
    .leftJoin(tenantQuotas, eq(tenantQuotas.tenantId, tenants.tenantId))
    .where(eq(tenants.tenantId, tenantId));
  const found = quotaNames.map((quota) => {
    const row = rows.find((one) => one.quota === quota) ?? { max: null, used: null };
    return { quota, ...limitOf(quota, { kind: rows[0]?.kind ?? "", ...row }) };
  });
  const uncounted = found.filter(({ quota, used }) => !isKept(quota) || used === null);
  const counts = uncounted.map(
    ({ quota }) => sql`(${statements[quota](tenantId, undefined)}) as ${sql.identifier(quota)}`,
  );
  const counted = await db().execute<Record<string, number>>(
    sql`select ${sql.join(counts, sql`, `)}`,
  );
  return found.map((one) => ({ ...one, used: counted.rows[0]?.[one.quota] ?? one.used ?? 0 }));
}

const recountedMs = 24 * 3600 * 1000;

/** Recounts stored quotas once a day, so that errors do not persist; called by the hourly cleanup. */
export async function recountQuotas(tenantId: string, now: Date): Promise<void> {
  const due = new Date(now.getTime() - recountedMs);
  const rows = await db()
    .select({ quota: tenantQuotas.quota })
    .from(tenantQuotas)
    .where(and(eq(tenantQuotas.tenantId, tenantId), lt(tenantQuotas.countedAt, due)));
  for (const quota of keptQuotas)
    if (rows.some((row) => row.quota === quota))
      await transaction((tx) => recount(tx, tenantId, quota));
}

/** Quotas whose use is stored as a number with the limit: a count at each write would be slow. */
const keptQuotas = ["preview-bytes", "customers"] as const satisfies QuotaName[];
type KeptQuota = (typeof keptQuotas)[number];
const isKept = (quota: QuotaName): quota is KeptQuota =>
  (keptQuotas as readonly QuotaName[]).includes(quota);

/** The start of the day in UTC, when a daily quota starts. */
export const startOfDay = (now: Date): Date => new Date(now.toISOString().slice(0, 10));

/** Keys that work or may work again: an expired one frees its place, and its name. */
const livingKeys = () =>
  sql`revoked_at is null and valid_to > ${new Date().toISOString()}::timestamptz`;

/** Counts the use of a tenant. `who` narrows it to one user's keys. */
const statements: Record<QuotaName, (tenantId: string, who: string | undefined) => SQL> = {
  "preview-bytes": (tenantId) =>
    sql`select coalesce(sum(octet_length(content)), 0)::float8 as used from preview_revisions where tenant_id = ${tenantId}`,
  "preview-configurations": (tenantId) =>
    sql`select count(*)::float8 as used from preview_configurations where tenant_id = ${tenantId}`,
  releases: (tenantId) =>
    sql`select count(*)::float8 as used from preview_releases where tenant_id = ${tenantId} and ended_at is null`,
  "user-keys": (tenantId, who) =>
    who === undefined
      ? sql`select coalesce(max(held.keys), 0)::float8 as used from (select count(*) as keys from api_keys where tenant_id = ${tenantId} and ${livingKeys()} group by user_id) as held`
      : sql`select count(*)::float8 as used from api_keys where tenant_id = ${tenantId} and user_id = ${who} and ${livingKeys()}`,
  users: (tenantId) =>
    sql`select count(*)::float8 as used from users where tenant_id = ${tenantId} and erased_at is null`,
  sites: (tenantId) =>
    sql`select count(*)::float8 as used from sites where tenant_id = ${tenantId}`,
  customers: (tenantId) =>
    sql`select count(*)::float8 as used from customers where tenant_id = ${tenantId}`,
  "metric-cells": (tenantId) =>
    sql`select coalesce(max(used), 0)::float8 as used from tenant_quotas where tenant_id = ${tenantId} and quota = 'metric-cells' and counted_at >= ${startOfDay(new Date()).toISOString()}::timestamptz`,
  webhooks: (tenantId) =>
    sql`select count(*)::float8 as used from webhooks where tenant_id = ${tenantId}`,
  "audit-streams": (tenantId) =>
    sql`select count(*)::float8 as used from audit_streams where tenant_id = ${tenantId}`,
  alerts: (tenantId) =>
    sql`select count(*)::float8 as used from alerts where tenant_id = ${tenantId}`,
  links: (tenantId) =>
    sql`select ((select count(*) from password_links where tenant_id = ${tenantId} and expires_at > ${new Date().toISOString()}::timestamptz)
      + (select count(*) from mailed_links where tenant_id = ${tenantId} and expires_at > ${new Date().toISOString()}::timestamptz)
      + (select count(*) from customer_password_tokens where tenant_id = ${tenantId} and expires_at > ${new Date().toISOString()}::timestamptz))::float8 as used`,
};

/** How much of a quota the tenant uses, counted row by row. */
export async function countUse(
  on: Executor,
  tenantId: string,
  quota: QuotaName,
  who?: string,
): Promise<number> {
  const { rows } = await on.execute<{ used: number }>(statements[quota](tenantId, who));
  return rows[0]?.used ?? 0;
}
