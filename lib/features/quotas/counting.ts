import { type SQL, sql } from "drizzle-orm";
import type { Executor } from "@/lib/database/open";
import type { QuotaName } from "./values";

/** Quotas whose use is kept as a number next to the limit: counting them again at each write would take long. */
export const keptQuotas = ["preview-bytes", "customers"] as const satisfies QuotaName[];
export type KeptQuota = (typeof keptQuotas)[number];
export const isKept = (quota: QuotaName): quota is KeptQuota =>
  (keptQuotas as readonly QuotaName[]).includes(quota);

/** A quota of a day begins with the day of UTC. */
export const startOfDay = (now: Date): Date => new Date(now.toISOString().slice(0, 10));

/** Keys that work or may work again: an expired one gives its place free, as it does its name. */
const livingKeys = () =>
  sql`revoked_at is null and valid_to > ${new Date().toISOString()}::timestamptz`;

/** What a tenant has, counted. `who` narrows it to one user's keys. */
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
