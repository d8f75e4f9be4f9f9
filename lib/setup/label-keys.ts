import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { labelKey } from "@/lib/protocol/formats";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";

/*
 * Names are compared without what cannot be seen, such as a zero-width space. Rows of a release that compared them with it have other
 * keys: those are computed again where the key is free. What looks like the name of another one keeps its key, and is logged by its id.
 */

/** Of Default_Ignorable_Code_Point, as PostgreSQL writes it. */
const ignorable =
  "[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF]";

const keyed = [
  { table: "users", id: "user_id", key: "login_key", owner: "''" },
  { table: "customers", id: "customer_id", key: "login_key", owner: "''" },
  {
    table: "api_keys",
    id: "api_key_id",
    key: "name_key",
    owner: "user_id",
    only: "revoked_at is null",
  },
];

type Keyed = (typeof keyed)[number];

async function renewIn(tenantId: string, { table, id, key, owner, only = "true" }: Keyed) {
  const [rows, ids, keys] = [table, id, key].map((one) => sql.identifier(one));
  const found = await db().execute<{ id: string; key: string; owner: string }>(
    sql`select ${ids} as id, ${keys} as key, ${sql.raw(owner)} as owner from ${rows}
      where tenant_id = ${tenantId} and ${sql.raw(only)} and ${keys} ~ ${ignorable} order by ${ids}`,
  );
  for (const row of found.rows) {
    const wanted = labelKey(row.key);
    const { rowCount } = await db().execute(
      sql`update ${rows} set ${keys} = ${wanted}
        where tenant_id = ${tenantId} and ${ids} = ${row.id} and ${keys} = ${row.key} and ${wanted} <> ''
          and not exists (select 1 from ${rows} o where o.tenant_id = ${tenantId} and o.${keys} = ${wanted}
            and ${sql.raw(owner)} = ${row.owner} and ${sql.raw(only)})`,
    );
    if (rowCount === 0)
      log().warn(
        { tenantId, id: row.id },
        "a name looks like another one: rename it, or erase it and create it anew",
      );
  }
}

const done = perProcess("label-keys", () => new Set<string>());

/** Computes the keys of a tenant's names again, once in the life of a process. */
export async function renewLabelKeys(tenantId: string): Promise<void> {
  if (done().has(tenantId)) return;
  for (const one of keyed) await renewIn(tenantId, one);
  done().add(tenantId);
}
