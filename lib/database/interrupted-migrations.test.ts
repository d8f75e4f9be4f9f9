import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { log } from "@/lib/protocol/log";
import { applyMigrations } from "./apply-migrations";
import { migrateStore, migrationsFolder } from "./migrate";
import { databaseUrl, dropDatabase, makeDatabase, onServer } from "./testing/databases";
import { startFaultyProxy } from "./testing/faulty-proxy";

/*
 * A migration that is killed is finished by the next start, at whichever statement it was. Every seventh packet of an upgrade is tried;
 * `EVERY_STATEMENT=1 npx vitest run lib/database/interrupted-migrations` tries all.
 */

const { server, run } = inject("testStore");
const former = `${run}_former`;
const step = process.env.EVERY_STATEMENT ? 1 : 7;
/** The schema of the release before which a store was kept for the test of upgrades. */
const formerMigrations = 12;

const shape = `
  select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
    coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all select pg_get_indexdef(indexrelid) || ' ' || indisvalid from pg_index where indrelid in
    (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select proname || ' ' || md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace
  union all select 'migration ' || created_at || ' ' || count(*) from drizzle.__drizzle_migrations group by created_at
  order by 1`;

const shapeOf = async (url: string) =>
  (await onServer<{ line: string }>(url, shape)).map(({ line }) => line);

let waits = 0;

beforeAll(async () => {
  await onServer(server, `create database ${former}`);
  const client = new Client({ connectionString: databaseUrl(server, former) });
  await client.connect();
  const upTo = readMigrationFiles({ migrationsFolder: migrationsFolder() })[formerMigrations - 1]
    ?.folderMillis;
  await applyMigrations(client, migrationsFolder(), { isNewerAccepted: false, upTo: upTo ?? 0 });
  await client.end();
  vi.spyOn(log(), "warn").mockImplementation((...given: unknown[]) => {
    if (given[1] === "waiting for the store") waits += 1;
  });
});
afterAll(() => onServer(server, `drop database ${former} with (force)`));

/** Upgrades a copy of the former store, whose connections are reset at a packet. Whether the upgrade was that long, and its schema. */
async function upgradeResetAt(packet: number) {
  const name = `${run}_${randomUUID().slice(0, 8)}`;
  await onServer(server, `create database ${name} template ${former}`);
  const direct = databaseUrl(server, name);
  const proxy = await startFaultyProxy(direct);
  try {
    waits = 0;
    const isReached = proxy.inflictAfter(packet, "reset");
    const upgrade = { isOver: false };
    const migrated = migrateStore({ connectionString: proxy.url }).finally(() => {
      upgrade.isOver = true;
    });
    while (!upgrade.isOver && waits === 0) await pause(2);
    proxy.inflict("pass");
    await migrated;
    return { isReached: isReached(), lines: await shapeOf(direct) };
  } finally {
    await proxy.close();
    await onServer(server, `drop database ${name} with (force)`);
  }
}

test("an upgrade whose connection is reset at any statement ends with the same schema", async () => {
  const whole = `${run}_whole`;
  await makeDatabase(server, whole);
  await migrateStore({ connectionString: databaseUrl(server, whole) });
  const expected = await shapeOf(databaseUrl(server, whole));
  await dropDatabase(server, whole);
  let packet = 1;
  for (let isReached = true; isReached; packet += step) {
    const upgraded = await upgradeResetAt(packet);
    expect(upgraded.lines, `reset at packet ${packet}`).toEqual(expected);
    isReached = upgraded.isReached;
  }
  // Each migration after the former release's has its BEGIN, its statements, a line in the list and its COMMIT.
  expect(packet).toBeGreaterThan(100);
}, 3_600_000);
