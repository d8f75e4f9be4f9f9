import type { Client } from "pg";
import { log } from "@/lib/protocol/log";

/*
 * The users list is searched by a part of a name, of a login or of an address. An index of trigrams finds those few without reading every
 * user of the tenant. It needs two extensions that are part of PostgreSQL, in Debian as in the embedded store, but may be missing on a
 * server: then the search reads all of the tenant's users.
 */

const extensions = ["pg_trgm", "btree_gin"] as const;
const name = "users_search_index";

/** Creates a missing index without locking the table. Called in the turn of the process that migrates. */
export async function prepareSearch(client: Client): Promise<void> {
  const { rows } = await client.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.isValid || !(await hasUsers(client))) return;
  if (!(await hasExtensions(client))) return;
  // An interrupted build leaves an invalid index.
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  await client.query(
    `create index concurrently if not exists ${name} on users using gin (tenant_id, search_text gin_trgm_ops)`,
  );
}

/** A schema of an earlier release may not have it yet. */
async function hasUsers(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    "select from pg_attribute where attrelid = to_regclass('users') and attname = 'search_text'",
  );
  return rows.length > 0;
}

async function hasExtensions(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from pg_available_extensions where name = any($1)",
    [extensions],
  );
  if (rows[0]?.count !== extensions.length) return without("the server does not have them");
  try {
    for (const extension of extensions)
      await client.query(`create extension if not exists ${extension}`);
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return without("the schema's owner may not create them");
  }
}

const isForbidden = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "42501";

function without(why: string): false {
  log().info({ extensions, why }, "a search of users reads all users of the tenant");
  return false;
}
