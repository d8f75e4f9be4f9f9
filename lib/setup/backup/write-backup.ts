import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Connection } from "@/lib/database/connection";
import { copyOut } from "@/lib/database/copy";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import { writeBackupFile } from "./backup-file";
import { type BackupTable, type Manifest, quote, readManifest } from "./manifest";
import { encodeJson, encodeRecord, RowDigest, recordTypes } from "./records";

export interface TableSums {
  name: string;
  rows: number;
  checksum: string;
}

export interface BackupReport {
  takenAt: string;
  tables: TableSums[];
  bytes: number;
}

/** The statement that reads a table, with the same text of values on every server. */
export const copyStatement = ({ name, columns }: BackupTable): string =>
  `copy (select ${columns.map(quote).join(", ")} from ${quote(name)}) to stdout`;

/** The same formats of values whatever the server's settings, and no timeouts: a table may take hours. */
export const copySettings = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/**
 * Starts the transaction whose first SELECT takes the snapshot. The locks are taken before it: no partition is dropped and no column
 * changed until the table is read. They block no reads or writes.
 */
async function beginSnapshot({ client }: Connection): Promise<Manifest> {
  const names = (await readManifest(client)).tables.map(({ name }) => quote(name)).join(", ");
  await client.query("begin isolation level repeatable read, read only");
  await client.query(`set local lock_timeout = '30s'`);
  await client.query(`lock table ${names} in access share mode`);
  return readManifest(client);
}

async function* records(connection: Connection, report: BackupReport): AsyncGenerator<Buffer> {
  const manifest = await beginSnapshot(connection);
  report.takenAt = manifest.takenAt;
  yield encodeJson(recordTypes.manifest, manifest);
  let rows = 0;
  for (const table of manifest.tables) {
    yield encodeJson(recordTypes.table, { name: table.name });
    const digest = new RowDigest();
    for await (const batch of copyOut(connection, copyStatement(table))) {
      digest.add(batch);
      yield encodeRecord(recordTypes.data, batch);
    }
    const sums = { name: table.name, rows: digest.rows, checksum: digest.checksum() };
    report.tables.push(sums);
    rows += sums.rows;
    yield encodeJson(recordTypes.sums, sums);
  }
  yield encodeJson(recordTypes.end, { tables: manifest.tables.length, rows });
}

/**
 * Writes all tables, from one REPEATABLE READ snapshot, to a new file. The service may run and write in the meantime. Memory use
 * does not depend on the store's size.
 */
export async function writeBackup(path: string, key: Buffer | undefined): Promise<BackupReport> {
  if (existsSync(path)) throw new Error(`${path} is there already: a backup replaces no file.`);
  const draft = `${path}.partial`;
  await rm(draft, { force: true });
  const report: BackupReport = { takenAt: "", tables: [], bytes: 0 };
  try {
    await withOwnerConnection(async (connection) => {
      await connection.client.query(copySettings);
      report.bytes = await writeBackupFile(draft, records(connection, report), key);
      await connection.client.query("commit");
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return report;
}
