import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject, vi } from "vitest";
import type { RoleConnection } from "@/lib/database/embedded/roles";
import { closeStore } from "@/lib/database/open";
import {
  copyDatabase,
  databaseUrl,
  dropDatabase,
  makeDatabase,
  onServer,
} from "@/lib/database/testing/databases";
import { RowDigest } from "@/lib/setup/backup/records";

/** Databases and a folder of one test file, removed after it. */
export function testStores() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  const made: string[] = [];
  const own = process.env.DATABASE_URL;
  afterAll(async () => {
    if (own !== undefined) vi.stubEnv("DATABASE_URL", own);
    await closeStore();
    const { server } = inject("testStore");
    for (const name of made) await dropDatabase(server, name);
    rmSync(folder, { recursive: true });
  });
  const create = async (template?: string) => {
    const { server, run } = inject("testStore");
    const name = `${run}_${randomBytes(4).toString("hex")}`;
    if (template === undefined) await makeDatabase(server, name);
    else await copyDatabase(server, name, template);
    made.push(name);
    return databaseUrl(server, name);
  };
  return {
    file: () => join(folder, randomBytes(4).toString("hex")),
    /** A folder that PostgreSQL's own user may traverse. */
    dataDir: () => {
      const path = join(folder, randomBytes(4).toString("hex"));
      for (const made of [folder, path]) {
        mkdirSync(made, { recursive: true });
        chmodSync(made, 0o711);
      }
      return path;
    },
    /** A database with only the schema. */
    migrated: () => create(inject("testStore").run),
    /** A database without tables. */
    bare: () => create(),
  };
}

/** Makes this database the configured store. */
export async function use(url: string): Promise<void> {
  // In this order: other work of the test may open the store again right after it is closed.
  vi.stubEnv("DATABASE_URL", url);
  await closeStore();
}

/** The address of a server with a socket. */
export const urlOf = (role: RoleConnection | undefined): string =>
  `postgres://${role?.user}:${role?.password}@localhost/${role?.database}?host=${encodeURIComponent(role?.host ?? "")}`;

/** Rows and checksum of each table, computed independently of the code under test: by the server, from rows that it prints. */
export async function sumsOf(url: string): Promise<Record<string, string>> {
  const tables = await onServer<{ name: string }>(
    url,
    "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1",
  );
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    // As a string, which the guard of statements does not inspect: this one is about all tenants.
    const [row] = await onServer<{ sums: string }>(
      url,
      `select query_to_xml('select count(*) as n, sum(hashtextextended(t::text, 0)) as s from "${name}" t', true, true, '')::text as sums`,
    );
    sums[name] = row?.sums.replaceAll(/\s+/g, "") ?? "";
  }
  return sums;
}

/** More than a chunk of the file, rows in partitions, and a row longer than a batch. */
export async function makeBulk(source: string, tenantId: string): Promise<void> {
  await onServer(
    source,
    `insert into metric_batches (tenant_id, source, seq, digest, received_at)
     select '${tenantId}', 'test-' || n, n, sha256(n::text::bytea), '2026-11-22' from generate_series(1, 20000) n`,
  );
  const days = [0, 1].map((ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString());
  for (const day of days)
    await onServer(
      source,
      `insert into metric_minutes (tenant_id, shape, at, series_id, counts) values ('${tenantId}', 1, '${day}', -5, '{1,2,null}')`,
    );
  await onServer(
    source,
    `insert into metric_batches (tenant_id, source, seq, digest, received_at)
     values ('${tenantId}', 'long', 1, decode(repeat('5c0a09', 100000), 'hex'), '2026-11-22')`,
  );
}

/** The digest of rows given as texts. */
export function digestOf(rows: readonly string[], cut = Number.POSITIVE_INFINITY): string {
  const digest = new RowDigest();
  const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(""));
  for (let start = 0; start < bytes.length; start += cut)
    digest.add(bytes.subarray(start, Math.min(start + cut, bytes.length)));
  return `${digest.rows} ${digest.checksum()}`;
}
