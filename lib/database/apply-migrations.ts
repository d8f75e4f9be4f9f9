import { setTimeout as pause } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Client } from "pg";

/** A statement that waits for a lock blocks all others on the table, so it waits at most this long and is retried later. */
const lockMilliseconds = 1000;
const pauseMilliseconds = 1000;
const maxTries = 30;
/** A concurrent index build blocks no other statement while it waits. */
const buildLockMilliseconds = 60_000;

const bookkeeping = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;

const concurrentIndex =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?([a-z_]+)"?/im;

interface ApplyOptions {
  isNewerAccepted: boolean;
  /** Excludes migrations created later: a backup is restored into the schema it was taken from. */
  upTo?: number;
}

/**
 * Applies the folder's migrations that the store does not have, each in a separate transaction. Rejects a store that has
 * migrations of a newer release, unless that is accepted.
 */
export async function applyMigrations(
  client: Client,
  folder: string,
  { isNewerAccepted, upTo = Number.POSITIVE_INFINITY }: ApplyOptions,
): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder });
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as kept");
  if (rows[0]?.kept === null) await client.query(bookkeeping);
  const last = await lastApplied(client);
  const newest = known.at(-1)?.folderMillis ?? 0;
  if (last > newest && !isNewerAccepted) throw new Error(newerStore(last, newest));
  for (const migration of known.filter(
    ({ folderMillis }) => folderMillis > last && folderMillis <= upTo,
  ))
    await applyPatiently(client, migration);
}

/** When the newest migration in the store was created. */
async function lastApplied(client: Client): Promise<number> {
  const { rows } = await client.query<{ last: string | null }>(
    "select max(created_at) as last from drizzle.__drizzle_migrations",
  );
  return Number(rows[0]?.last ?? 0);
}

const day = (milliseconds: number) => new Date(milliseconds).toISOString();

function newerStore(last: number, newest: number): string {
  return `The store belongs to a newer release: its schema is of ${day(last)}, this program knows it up to ${day(newest)}. Start the newer release. To go back to this one on purpose, read docs/operations/upgrades.md; NEWER_STORE=accept then lets it start.`;
}

async function applyPatiently(client: Client, migration: MigrationMeta): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await apply(client, migration);
      return;
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      if (tries === maxTries)
        throw new Error(
          `A migration found no moment in which it got its locks, in ${maxTries} tries. Nothing of it was applied. End long transactions, and start again.`,
          { cause: error },
        );
      await pause(pauseMilliseconds);
    }
  }
}

/** lock_not_available and deadlock_detected. */
const isLockedOut = (error: unknown) =>
  error instanceof Error && "code" in error && ["55P03", "40P01"].includes(String(error.code));

async function apply(client: Client, migration: MigrationMeta): Promise<void> {
  const remember = () =>
    client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
      migration.hash,
      migration.folderMillis,
    ]);
  if (migration.sql.some((text) => concurrentIndex.test(text))) {
    await client.query(`set lock_timeout = ${buildLockMilliseconds}`);
    for (const text of migration.sql) await buildIndex(client, text);
    await remember();
    return;
  }
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${lockMilliseconds}`);
    for (const text of migration.sql) await client.query(text);
    await remember();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Outside a transaction. An invalid index of an interrupted build is dropped first. */
async function buildIndex(client: Client, text: string): Promise<void> {
  const name = concurrentIndex.exec(text)?.[1];
  const { rows } = await client.query(
    "select from pg_index where indexrelid = to_regclass($1) and not indisvalid",
    [name],
  );
  if (name !== undefined && rows.length > 0)
    await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`);
  await client.query(text);
}
