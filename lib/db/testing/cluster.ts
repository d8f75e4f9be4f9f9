import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "@/lib/db/embedded";
import { migrateStore } from "@/lib/db/migrate";
import { databaseUrl } from "@/lib/db/testing/databases";

/** One server for the whole run: TEST_DATABASE_URL, or an embedded PostgreSQL of our own that is gone afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  const embedded = process.env.TEST_DATABASE_URL ? undefined : await startEmbedded(folder, { isThrowaway: true });
  const server =
    process.env.TEST_DATABASE_URL ?? `postgres://gatehouse@localhost/postgres?host=${encodeURIComponent(embedded?.connection.host ?? "")}`;
  const run = `gatehouse_test_${randomBytes(4).toString("hex")}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${run}`);
  await migrateStore({ connectionString: databaseUrl(server, run) });
  project.provide("testStore", { server, run, folder });
  return async () => {
    const { rows } = await admin.query<{ name: string }>("select datname as name from pg_database where starts_with(datname, $1)", [run]);
    if (embedded === undefined) for (const { name } of rows) await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    await embedded?.close();
    rmSync(folder, { recursive: true });
  };
}
