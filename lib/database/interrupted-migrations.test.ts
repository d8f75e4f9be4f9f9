import { readMigrationFiles } from "drizzle-orm/migrator";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { applyMigrations } from "./apply-migrations";
import { storeFailure } from "./failures";
import { migrateOnce, migrateStore, migrationsFolder } from "./migrate";
import { databaseUrl, dropDatabase, makeDatabase, onServer } from "./testing/databases";
import { type FaultyProxy, startFaultyProxy } from "./testing/faulty-proxy";

/*
 * A migration that is killed, at any statement, is finished by the next start. One store is upgraded, whose connection is
 * reset at every seventh packet of a migration until that is applied, and then of the next one;
 * `EVERY_STATEMENT=1 npx vitest run lib/database/interrupted-migrations` tries all.
 */

const { server, run } = inject("testStore");
const upgraded = `${run}_upgraded`;
const direct = databaseUrl(server, upgraded);
const step = process.env.EVERY_STATEMENT ? 1 : 7;
/** The schema of the earlier release from which the upgrade test starts. */
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

/** The statements of an upgrade before its first migration: settings, the lock, the applied migrations. */
const packetsBefore = 5;

beforeAll(async () => {
  await onServer(server, `create database ${upgraded}`);
  const client = new Client({ connectionString: direct });
  await client.connect();
  const upTo = readMigrationFiles({ migrationsFolder: migrationsFolder() })[formerMigrations - 1]
    ?.folderMillis;
  await applyMigrations(client, migrationsFolder(), { isNewerAccepted: false, upTo: upTo ?? 0 });
  await client.end();
});
afterAll(() => onServer(server, `drop database ${upgraded} with (force)`));

async function appliedMigrations(): Promise<number> {
  const [row] = await onServer<{ count: string }>(
    direct,
    "select count(*) from drizzle.__drizzle_migrations",
  );
  return Number(row?.count);
}

/** Upgrades the store, whose connection is reset at a packet. Returns whether the upgrade had that many packets. */
async function upgradeResetAt(proxy: FaultyProxy, packet: number): Promise<boolean> {
  const isReached = proxy.inflictAfter(packet, "reset");
  const failed = (error: unknown) => storeFailure(error) ?? error;
  const failure = await migrateOnce({ connectionString: proxy.url }).catch(failed);
  // The last packet only closes the connection.
  expect(isReached() ? [undefined, "away"] : [undefined], `packet ${packet}`).toContain(failure);
  proxy.inflict("pass");
  return isReached();
}

test("an upgrade whose connection is reset at any statement ends with the same schema", async () => {
  const whole = `${run}_whole`;
  await makeDatabase(server, whole);
  await migrateStore({ connectionString: databaseUrl(server, whole) });
  const expected = await shapeOf(databaseUrl(server, whole));
  await dropDatabase(server, whole);
  const proxy = await startFaultyProxy(direct);
  let applied = await appliedMigrations();
  let resets = 0;
  for (let packet = 1; await upgradeResetAt(proxy, packet); resets += 1) {
    const now = await appliedMigrations();
    // The next migration is reset too, at another of its first packets.
    packet = now > applied ? packetsBefore + 1 + (resets % step) : packet + step;
    applied = now;
  }
  await proxy.close();
  expect(await shapeOf(direct)).toEqual(expected);
  // Each migration after the former release's has its BEGIN, its statements, a line in the list and its COMMIT.
  expect(resets).toBeGreaterThan(applied - formerMigrations);
}, 3_600_000);
