import { type Column, eq, getTableName, lt, or, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { db } from "./open";
import { replayableDays } from "./schema/idempotency";
import {
  accessRequests,
  apiKeys,
  chartMarkers,
  codeFailures,
  consumerEndings,
  customerActivity,
  customerFamilies,
  customerPasswordTokens,
  emailConfirmations,
  idempotentAnswers,
  keyHandOffs,
  knownNetworks,
  mailedLinks,
  mails,
  passwordLinks,
  previewReleases,
  previewShares,
  previousSecretUses,
  provisioningRequests,
  provisioningTokens,
  refusedRequests,
  sessions,
  signInChallenges,
  usedChallenges,
  usedNonces,
  webhookDeliveries,
} from "./schema/schema";

/**
 * Deletes rows that are older than the table's retention, in ranges of the primary key:
 *
 *     after = nothing
 *     repeat: until = the key of the 2,000th row after `after`; delete what is old in (after, until]; after = until
 *
 * Each statement reads at most 2,000 rows whatever the table's size, so none meets the statement time-out, locks many rows or needs an index
 * on the time. A row that is renewed in between stays: the delete itself checks its age.
 */

const rangeRows = 2000;
const probedRows = 500;
const dayMs = 24 * 3600 * 1000;

export interface Retention {
  table: PgTable;
  keptDays: number;
  /** The condition for old rows, where `before` is this many days ago. */
  isOld: (before: Date) => SQL | undefined;
}

/** Tables whose rows are deleted by age only. docs/architecture/tables.md lists what bounds every table. */
export const retentions: Retention[] = [
  { table: sessions, keptDays: 30, isOld: (before) => lt(sessions.expiresAt, before) },
  {
    table: idempotentAnswers,
    keptDays: replayableDays,
    isOld: (before) => lt(idempotentAnswers.createdAt, before),
  },
  {
    table: apiKeys,
    keptDays: 30,
    isOld: (before) => or(lt(apiKeys.validTo, before), lt(apiKeys.revokedAt, before)),
  },
  {
    table: accessRequests,
    keptDays: 30,
    isOld: (before) => lt(accessRequests.createdAt, before),
  },
  { table: mails, keptDays: 1, isOld: (before) => lt(mails.createdAt, before) },
  { table: knownNetworks, keptDays: 90, isOld: (before) => lt(knownNetworks.lastSeenAt, before) },
  {
    table: previousSecretUses,
    keptDays: 90,
    isOld: (before) => lt(previousSecretUses.lastSeenAt, before),
  },
  { table: previewReleases, keptDays: 90, isOld: (before) => lt(previewReleases.endedAt, before) },
  { table: previewShares, keptDays: 30, isOld: (before) => lt(previewShares.validTo, before) },
  { table: keyHandOffs, keptDays: 0, isOld: (before) => lt(keyHandOffs.expiresAt, before) },
  {
    table: signInChallenges,
    keptDays: 0,
    isOld: (before) => lt(signInChallenges.expiresAt, before),
  },
  { table: usedChallenges, keptDays: 1, isOld: (before) => lt(usedChallenges.expiresAt, before) },
  {
    table: codeFailures,
    keptDays: 1,
    isOld: (before) => lt(codeFailures.failedAt, before.getTime()),
  },
  {
    table: provisioningRequests,
    keptDays: 90,
    isOld: (before) => lt(provisioningRequests.occurredAt, before),
  },
  {
    table: provisioningTokens,
    keptDays: 0,
    isOld: (before) => lt(provisioningTokens.validTo, before),
  },
  { table: usedNonces, keptDays: 0, isOld: (before) => lt(usedNonces.expiresAt, before) },
  { table: passwordLinks, keptDays: 30, isOld: (before) => lt(passwordLinks.expiresAt, before) },
  {
    table: emailConfirmations,
    keptDays: 30,
    isOld: (before) => lt(emailConfirmations.expiresAt, before),
  },
  { table: mailedLinks, keptDays: 30, isOld: (before) => lt(mailedLinks.expiresAt, before) },
  {
    table: customerFamilies,
    keptDays: 30,
    isOld: (before) => lt(customerFamilies.idleExpiresAt, before),
  },
  {
    table: customerPasswordTokens,
    keptDays: 30,
    isOld: (before) => lt(customerPasswordTokens.expiresAt, before),
  },
  {
    table: customerActivity,
    keptDays: 400,
    isOld: (before) => lt(customerActivity.occurredAt, before),
  },
  {
    table: consumerEndings,
    keptDays: 1,
    isOld: (before) => lt(consumerEndings.keptUntil, before),
  },
  { table: chartMarkers, keptDays: 400, isOld: (before) => lt(chartMarkers.at, before) },
  {
    table: webhookDeliveries,
    keptDays: 30,
    isOld: (before) => lt(webhookDeliveries.createdAt, before),
  },
  {
    table: refusedRequests,
    keptDays: 7,
    isOld: (before) => lt(refusedRequests.occurredAt, before),
  },
];

/**
 * The tables in which a tenant may have old rows, by one statement of bounded cost: those with an old row among the tenant's first
 * ones, or with more rows than that. At the hourly cleaning most tenants have few rows and no old ones.
 */
export async function tablesToClean(tenantId: string, now: Date): Promise<Retention[]> {
  const columns = retentions.map(({ table, keptDays, isOld }) => {
    const { tenant, others } = keyColumns(table);
    const before = new Date(now.getTime() - keptDays * dayMs);
    const first = sql`select (${isOld(before)}) as is_old from ${table} where ${eq(tenant, tenantId)}
      order by ${sql.join(
        others.map((column) => sql`${column}`),
        sql`, `,
      )} limit ${probedRows}`;
    return sql`(select coalesce(bool_or(f.is_old), false) or count(*) = ${probedRows} from (${first}) f) as ${sql.identifier(getTableName(table))}`;
  });
  const { rows } = await db().execute<Record<string, boolean>>(
    sql`select ${sql.join(columns, sql`, `)}`,
  );
  return retentions.filter(({ table }) => rows[0]?.[getTableName(table)] === true);
}

type Key = unknown[];

function keyColumns(table: PgTable): { tenant: Column; others: Column[] } {
  const [tenant, ...others] = getTableConfig(table).primaryKeys[0]?.columns ?? [];
  if (!tenant) throw new Error("A table without a primary key cannot be cleaned in ranges.");
  return { tenant, others };
}

const list = (parts: readonly unknown[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;

/** The key of the last row of the next range; undefined if fewer rows are left. */
async function endOfRange(table: PgTable, tenantId: string, after: Key | undefined) {
  const { tenant, others } = keyColumns(table);
  const columns = sql.join(
    others.map((column) => sql`${column}`),
    sql`, `,
  );
  const beyond = after === undefined ? sql`` : sql`and ${list(others)} > ${list(after)}`;
  const { rows } = await db().execute(
    sql`select ${columns} from ${table} where ${eq(tenant, tenantId)} ${beyond} order by ${columns} offset ${rangeRows - 1} limit 1`,
  );
  const [row] = rows;
  return row && others.map(({ name }) => row[name]);
}

/** Deletes the tenant's rows of a table that are past their retention. Returns the number of rows. */
export async function deleteOldRows(
  { table, keptDays, isOld }: Retention,
  tenantId: string,
  now: Date,
): Promise<number> {
  const { tenant, others } = keyColumns(table);
  const before = new Date(now.getTime() - keptDays * dayMs);
  let deleted = 0;
  for (let after: Key | undefined; ; ) {
    const until = await endOfRange(table, tenantId, after);
    const beyond = after === undefined ? sql`` : sql`and ${list(others)} > ${list(after)}`;
    const upTo = until === undefined ? sql`` : sql`and ${list(others)} <= ${list(until)}`;
    const { rowCount } = await db().execute(
      sql`delete from ${table} where ${eq(tenant, tenantId)} ${beyond} ${upTo} and (${isOld(before)})`,
    );
    deleted += rowCount ?? 0;
    if (until === undefined) return deleted;
    after = until;
  }
}
