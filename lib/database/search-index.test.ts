import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, expect, inject, test, vi } from "vitest";
import { log } from "@/lib/protocol/log";
import { makeTenant } from "@/lib/setup/testing/factories";
import { db } from "./open";
import { prepareSearch } from "./search-index";
import { databaseUrl, dropDatabase, makeDatabase, onServer } from "./testing/databases";

const { server, run } = inject("testStore");
const name = `${run}_search`;
const url = databaseUrl(server, name);
afterAll(() => dropDatabase(server, name));

test("a search without a hit reads the index, not the tenant's users", async () => {
  const tenant = await makeTenant();
  const row = { login: "name", at: "2026-11-01T00:00:00Z" };
  await db().execute(sql`insert into users (tenant_id, user_id, home_tenant_id, kind, state, login, login_key, name, email_address, search_text,
      registered_at, is_locked, is_system, must_change_password, preferences)
    select ${tenant}, 'usr_' || n, ${tenant}, 'person', 'active', ${row.login} || n, ${row.login} || n, '', '', ${row.login} || n || ' bulk example',
      ${row.at}::timestamptz, false, false, false, '{}' from generate_series(1, 20000) n`);
  await db().execute(sql`vacuum analyze users`);
  const { rows } = await db().execute<{ "QUERY PLAN": string }>(
    sql`explain (analyze, costs off, timing off) select u.user_id from users u where u.tenant_id = ${tenant} and u.search_text like ${"%zzqqxx%"}
      order by u.login limit 51`,
  );
  const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
  expect(plan).toContain("users_search_index");
  expect(plan).not.toContain("Rows Removed by Filter");
});

test("an index whose build was interrupted is built again, and an existing one stays", async () => {
  await makeDatabase(server, name);
  const client = new Client({ connectionString: url });
  await client.connect();
  const state = async () =>
    (
      await onServer(
        url,
        "select indexrelid::int as id, indisvalid as valid from pg_index where indexrelid = to_regclass('users_search_index')",
      )
    )[0];
  try {
    await prepareSearch(client);
    expect(await state()).toBeUndefined();
    await client.query("create table users (tenant_id text, search_text text)");
    await client.query("create index users_search_index on users (tenant_id)");
    await client.query(
      "update pg_index set indisvalid = false where indexrelid = 'users_search_index'::regclass",
    );
    await prepareSearch(client);
    const built = await state();
    expect(built).toMatchObject({ valid: true });
    await prepareSearch(client);
    expect(await state()).toEqual(built);
  } finally {
    await client.end();
  }
});

test("a server without the extensions is searched without the index, which is logged", async () => {
  const info = vi.spyOn(log(), "info").mockImplementation(() => undefined);
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    if (text.includes("pg_attribute")) return { rows: [{}] };
    return { rows: text.includes("pg_available") ? [{ count: 1 }] : [] };
  };
  await prepareSearch({ query } as never);
  expect(asked.filter((text) => text.startsWith("create"))).toEqual([]);
  expect(info).toHaveBeenCalledWith(
    expect.objectContaining({ why: "the server does not have them" }),
    "a search of users reads all users of the tenant",
  );
  vi.restoreAllMocks();
});
