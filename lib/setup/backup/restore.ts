import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Client } from "pg";
import { applyMigrations } from "@/lib/database/apply-migrations";
import type { Connection } from "@/lib/database/connection";
import { copyIn, copyOut } from "@/lib/database/copy";
import { globalStatements } from "@/lib/database/global";
import { migrationsFolder, waitForTurn } from "@/lib/database/migrate";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import { readBackupFile } from "./backup-file";
import { type BackupTable, type Manifest, parseManifest, quote, readTables } from "./manifest";
import { type BackupRecord, RowDigest, recordTypes } from "./records";
import { copySettings, copyStatement, type TableSums } from "./write-backup";

export interface RestoreReport {
  takenAt: string;
  tables: TableSums[];
}

type Records = AsyncGenerator<BackupRecord>;

const damaged = (what: string) => new Error(`The backup is damaged: ${what}.`);

async function nextRecord(records: Records, type: number): Promise<Buffer> {
  const { value, done } = await records.next();
  if (done) throw new Error("The backup is cut short.");
  if (value.type !== type) throw damaged("its records are out of order");
  return value.content;
}

/** The rows of the records' current table, up to its sums, which are stored in `found`. */
async function* tableRows(records: Records, digest: RowDigest, found: { sums?: TableSums }) {
  for (;;) {
    const { value, done } = await records.next();
    if (done) throw new Error("The backup is cut short.");
    if (value.type === recordTypes.sums) {
      found.sums = JSON.parse(value.content.toString());
      return;
    }
    if (value.type !== recordTypes.data) throw damaged("its records are out of order");
    digest.add(value.content);
    yield value.content;
  }
}

const isSame = (sums: TableSums, digest: RowDigest) =>
  sums.rows === digest.rows && sums.checksum === digest.checksum();

/** Passes each table's rows to `fill` and compares them with the sums of the backup. */
async function readTablesOf(
  records: Records,
  { tables }: Manifest,
  fill: (table: BackupTable, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<TableSums[]> {
  const all: TableSums[] = [];
  for (const table of tables) {
    const { name } = JSON.parse((await nextRecord(records, recordTypes.table)).toString());
    if (name !== table.name) throw damaged("its tables are out of order");
    const digest = new RowDigest();
    const found: { sums?: TableSums } = {};
    await fill(table, tableRows(records, digest, found));
    if (!found.sums || !isSame(found.sums, digest))
      throw damaged(`the rows of ${name} are not those that were saved`);
    all.push(found.sums);
  }
  const end = JSON.parse((await nextRecord(records, recordTypes.end)).toString());
  if (end.rows !== all.reduce((sum, { rows }) => sum + rows, 0)) throw damaged("rows are missing");
  return all;
}

/** Reads a backup to its end and compares every table with its sums, without a store. */
export async function checkBackup(path: string, key: Buffer | undefined): Promise<RestoreReport> {
  const records = readBackupFile(path, key);
  const manifest = parseManifest(await nextRecord(records, recordTypes.manifest));
  const readOnly = async (_table: BackupTable, rows: AsyncIterable<Buffer>) => {
    for await (const _rows of rows);
  };
  const tables = await readTablesOf(records, manifest, readOnly);
  return { takenAt: manifest.takenAt, tables };
}

/** Throws a message unless this release has every migration of the backup. */
function assertKnownSchema({ migrations }: Manifest, folder: string): number {
  const known = new Set(
    readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis),
  );
  const last = Math.max(...migrations);
  if (migrations.every((one) => known.has(one))) return last;
  const newest = new Date(Math.max(...known)).toISOString();
  throw new Error(
    `The backup is of a newer release: its schema is of ${new Date(last).toISOString()}, this program knows it up to ${newest}. Restore it with that release.`,
  );
}

/** Throws a message unless nothing was ever written to this store; its schema may be that of the backup, or missing. */
async function assertEmpty(client: Client, schemaOf: number): Promise<void> {
  const { rows: kept } = await client.query(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as migrated, to_regclass('public.tenants') is not null as made",
  );
  if (!kept[0]?.made) return;
  const { rows } = await client.query(globalStatements.isEmptyStore);
  if (!rows[0]?.isEmpty)
    throw new Error(
      "The store is not empty: a backup is restored only into an empty one. Name another database or another DATA_DIR.",
    );
  const { rows: last } = await client.query(
    "select max(created_at) as last from drizzle.__drizzle_migrations",
  );
  if (Number(last[0]?.last) > schemaOf)
    throw new Error(
      "The store is empty, but its schema is newer than the backup's. Name a database or a DATA_DIR without tables: the restore makes them, fills them and migrates them.",
    );
}

/** Rejects tables of the backup that this schema does not have, and deletes rows that a migration created. */
async function prepareTables(client: Client, { tables, partitions }: Manifest): Promise<void> {
  const made = new Map((await readTables(client)).map(({ name, columns }) => [name, columns]));
  const unknown = tables.find(
    ({ name, columns }) => !columns.every((column) => made.get(name)?.includes(column)),
  );
  if (unknown) throw damaged(`the table ${unknown.name} is not the one of its schema`);
  for (const { table, name, bound } of partitions)
    await client.query(
      `create table if not exists ${quote(name)} partition of ${quote(table)} ${bound}`,
    );
  await client.query(`truncate ${tables.map(({ name }) => quote(name)).join(", ")}`);
}

async function fillTable(
  connection: Connection,
  { name, columns }: BackupTable,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const list = columns.map(quote).join(", ");
  await copyIn(connection, `copy ${quote(name)} (${list}) from stdin`, rows);
}

/** Reads every table again from the store, to verify that it equals the backup. */
async function assertRestored(
  connection: Connection,
  { tables }: Manifest,
  sums: readonly TableSums[],
): Promise<void> {
  for (const [index, table] of tables.entries()) {
    const digest = new RowDigest();
    for await (const batch of copyOut(connection, copyStatement(table))) digest.add(batch);
    const saved = sums[index];
    if (!saved || !isSame(saved, digest))
      throw new Error(
        `The restored table ${table.name} is not what was saved: ${digest.rows} rows instead of ${saved?.rows}. Nothing was restored.`,
      );
  }
}

/**
 * Creates the backup's schema in an empty store and fills it, in one transaction that is committed only if every table has the rows and
 * the checksum of the backup. Servers that start in the meantime wait. Later migrations are left to the next start.
 */
export async function restoreBackup(
  path: string,
  key: Buffer | undefined,
  folder = migrationsFolder(),
): Promise<RestoreReport> {
  const records = readBackupFile(path, key);
  const manifest = parseManifest(await nextRecord(records, recordTypes.manifest));
  const upTo = assertKnownSchema(manifest, folder);
  return withOwnerConnection(async (connection) => {
    const { client } = connection;
    await waitForTurn(client);
    await assertEmpty(client, upTo);
    await client.query("set timezone = 'UTC'");
    await applyMigrations(client, folder, { isNewerAccepted: false, upTo });
    await client.query(`${copySettings}; set lock_timeout = 0`);
    await client.query("begin");
    await prepareTables(client, manifest);
    const fill = (table: BackupTable, rows: AsyncIterable<Buffer>) =>
      fillTable(connection, table, rows);
    const tables = await readTablesOf(records, manifest, fill);
    await assertRestored(connection, manifest, tables);
    await client.query("commit");
    await client.query("analyze");
    return { takenAt: manifest.takenAt, tables };
  });
}
