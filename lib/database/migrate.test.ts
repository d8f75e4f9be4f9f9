import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { auditEvents } from "@/lib/database/schema/schema";
import { databaseUrl, onServer } from "@/lib/database/testing/databases";
import { failureOf } from "@/lib/database/testing/failing";
import { lastCheckpoint } from "@/lib/features/audit/checkpoints";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { preparePartitions } from "@/lib/features/metrics/partitions";
import { cleanTenant } from "@/lib/setup/cleaning";
import { makeTenant } from "@/lib/setup/testing/factories";
import { migrateStore } from "./migrate";
import { closeStore, db, openStore, transaction } from "./open";

const { server, run } = inject("testStore");

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeStore();
});

describe("migration", () => {
  const withDatabase = async (work: (url: string, name: string) => Promise<void>) => {
    const name = `${run}_${randomUUID().slice(0, 8)}`;
    await onServer(server, `create database ${name}`);
    try {
      await work(databaseUrl(server, name), name);
    } finally {
      await closeStore();
      await onServer(server, `drop database ${name} with (force)`);
    }
  };

  test("by four processes at once is done once", () =>
    withDatabase(async (url) => {
      await Promise.all([1, 2, 3, 4].map(() => migrateStore({ connectionString: url })));
      vi.stubEnv("DATABASE_URL", url);
      await openStore();
      await openStore();
      const { rows } = await db().execute(
        sql`select count(*)::int as runs, count(distinct hash)::int as migrations from drizzle.__drizzle_migrations`,
      );
      expect(rows[0]?.runs).toBeGreaterThan(0);
      expect(rows[0]?.runs).toBe(rows[0]?.migrations);
    }));

  const newest = "select max(created_at) as at from drizzle.__drizzle_migrations";

  test("rejects, with an explanation, a store that a newer release has migrated, unless that is accepted", () =>
    withDatabase(async (url) => {
      const connection = { connectionString: url };
      await migrateStore(connection);
      const later = Date.now() + 86_400_000;
      await onServer(
        url,
        `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', ${later})`,
      );
      vi.stubEnv("DATABASE_URL", url);
      await expect(openStore()).rejects.toThrow("The store belongs to a newer release");
      vi.stubEnv("NEWER_STORE", "accept");
      await openStore();
      const [row] = await onServer<{ at: string }>(url, newest);
      expect(Number(row?.at)).toBe(later);
    }));

  /** Migrations of a release: the text of each. */
  const withMigrations = async (migrations: string[], work: (folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-migrations-"));
    mkdirSync(join(folder, "meta"));
    const entries = migrations.map((text, idx) => {
      writeFileSync(join(folder, `${idx}.sql`), text);
      return { idx, version: "7", when: idx + 1, tag: `${idx}`, breakpoints: true };
    });
    writeFileSync(join(folder, "meta", "_journal.json"), JSON.stringify({ entries }));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test("that waits for a lock yields to other statements after a second, and continues when the lock is free", () =>
    withMigrations(["alter table t add column m int"], (folder) =>
      withDatabase(async (url) => {
        const holder = new Client({ connectionString: url });
        await holder.connect();
        try {
          await holder.query("create table t (n int)");
          await holder.query("begin; lock table t in access share mode");
          const migrated = migrateStore({ connectionString: url }, undefined, folder);
          const isWaiting = async () => {
            const rows = await onServer(
              url,
              "select from pg_stat_activity where datname = current_database() and query like 'alter table t%' and wait_event_type = 'Lock'",
            );
            return rows.length > 0;
          };
          await vi.waitUntil(isWaiting, { timeout: 100_000, interval: 20 });
          await vi.waitUntil(async () => !(await isWaiting()), { timeout: 100_000, interval: 20 });
          await holder.query("commit");
          await migrated;
          expect((await holder.query("select m from t")).rows).toEqual([]);
        } finally {
          await holder.end();
        }
      }),
    ));

  test("builds an index concurrently while other processes wait for their turn, and rebuilds an interrupted one", () =>
    withMigrations(
      ["select 1", "create unique index concurrently if not exists t_n_unique on t (tenant_id, n)"],
      (folder) =>
        withDatabase(async (url) => {
          const migrate = () => migrateStore({ connectionString: url }, undefined, folder);
          await onServer(url, "create table t (tenant_id text, n int)");
          await onServer(url, "insert into t values ('a', 1), ('a', 1)");
          const build = "create unique index concurrently t_n_unique on t (tenant_id, n)";
          expect(await failureOf(onServer(url, build))).toBeDefined();
          await onServer(url, "delete from t");
          await Promise.all([1, 2, 3].map(migrate));
          const valid =
            "select indisvalid as valid from pg_index where indexrelid = 't_n_unique'::regclass";
          expect(await onServer(url, valid)).toEqual([{ valid: true }]);
        }),
    ));

  /** A store whose schema belongs to a user other than the service's own. */
  const asRestricted = (work: () => Promise<void>) =>
    withDatabase(async (url, name) => {
      const role = `${name}_app`;
      await onServer(server, `create role ${role} login password 'app'`);
      const asApp = new URL(url);
      Object.assign(asApp, { username: role, password: "app" });
      vi.stubEnv("DATABASE_URL", asApp.href);
      vi.stubEnv("MIGRATION_DATABASE_URL", url);
      try {
        await openStore();
        await work();
      } finally {
        await closeStore();
        await onServer(url, `drop owned by ${role}`);
        await onServer(url, `drop role ${role}`);
      }
    });

  test("by a separate user leaves the service unable to change audit entries", () =>
    asRestricted(async () => {
      const may = (statement: string) =>
        failureOf(db().execute(sql.raw(statement))).then((error) => error === undefined);
      expect(await may("select login from users where tenant_id = ''")).toBe(true);
      expect(await may("update audit_events set address = null where tenant_id = ''")).toBe(true);
      expect(await may("update audit_events set action = '' where tenant_id = ''")).toBe(false);
      expect(await may("delete from audit_events where tenant_id = ''")).toBe(false);
      expect(await may("drop table audit_events")).toBe(false);
    }));

  test("by a separate user: the cleaning still shortens the trail, and metrics still get their partitions", () =>
    asRestricted(async () => {
      const tenantId = await makeTenant();
      const target = { type: "user", id: "u" };
      for (const days of [401, 1]) {
        const at = new Date(Date.now() - days * 86_400_000);
        await transaction((tx) =>
          record(tx, actingAsSystem(tenantId, "test"), { action: "user.locked", target }, at),
        );
      }
      await cleanTenant(tenantId, new Date());
      const kept = await db()
        .select({ seq: auditEvents.seq })
        .from(auditEvents)
        .where(eq(auditEvents.tenantId, tenantId));
      expect(kept).toEqual([{ seq: 2 }]);
      expect(await lastCheckpoint(tenantId)).toMatchObject({ seq: 1, isSigned: true });
      const now = Date.now() + 40 * 86_400_000;
      await preparePartitions(now);
      const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
      const { rows } = await db().execute(
        sql.raw(`select to_regclass('metric_minutes_${day}')::text as name`),
      );
      expect(rows[0]?.name).toBe(`metric_minutes_${day}`);
    }));

  test("by a separate user waits for another process's changes of the same tables and continues", () =>
    asRestricted(async () => {
      const url = String(process.env.MIGRATION_DATABASE_URL);
      const user = new URL(String(process.env.DATABASE_URL)).username;
      const change = (verb: string) =>
        `${verb} select on users ${verb === "grant" ? "to" : "from"} ${user}`;
      const other = new Client({ connectionString: url });
      await other.connect();
      try {
        await other.query(change("revoke"));
        await other.query("begin");
        await other.query("grant select on users to public");
        const migrated = migrateStore({ connectionString: url }, user);
        await vi.waitUntil(
          async () =>
            (
              await onServer(
                url,
                "select from pg_stat_activity where datname = current_database() and query like '%grant usage%' and wait_event_type = 'Lock' and pid <> pg_backend_pid()",
              )
            ).length > 0,
          { timeout: 100_000, interval: 20 },
        );
        await other.query("commit");
        await migrated;
        expect((await db().execute(sql`select from users where tenant_id = ''`)).rows).toEqual([]);
      } finally {
        await other.end();
      }
    }));

  test("by a separate user changes nothing if the service already has its privileges", () =>
    asRestricted(async () => {
      const url = String(process.env.MIGRATION_DATABASE_URL);
      const user = new URL(String(process.env.DATABASE_URL)).username;
      const versions = () =>
        onServer(url, "select relname, xmin from pg_class where relkind in ('r', 'p') order by 1");
      const before = await versions();
      await migrateStore({ connectionString: url }, user);
      expect(await versions()).toEqual(before);
    }));
});
