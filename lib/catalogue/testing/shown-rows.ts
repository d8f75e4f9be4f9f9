import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { labelKey } from "@/lib/protocol/formats";
import { hasVisibleCharacter } from "@/lib/protocol/text";

/** Names shown in a list, and the scope in which they are unique; without a scope they only have to be visible. */
const names: { table: string; column: string; within?: string; where?: string }[] = [
  { table: "users", column: "login", within: "", where: "erased_at is null" },
  { table: "customers", column: "login", within: "" },
  { table: "api_keys", column: "name", within: "user_id", where: "revoked_at is null" },
  { table: "sites", column: "name", within: "" },
  { table: "users", column: "name" },
  { table: "alerts", column: "name" },
  { table: "saved_views", column: "name" },
  { table: "preview_releases", column: "name" },
  { table: "chart_markers", column: "title" },
];

/** Rows of a tenant that a list shows with an empty name, or with the same name as another row. */
export async function shownTwice(tenantId: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { table, column, within, where = "true" } of names) {
    const scope = within ? sql.identifier(within) : sql.raw("''");
    const { rows } = await db().execute<{ name: string; scope: string }>(
      sql`select ${sql.identifier(column)} as name, ${scope} as scope from ${sql.identifier(table)}
        where tenant_id = ${tenantId} and ${sql.raw(where)}`,
    );
    const seen = new Set<string>();
    for (const row of rows) {
      const place = `${table}.${column} ${JSON.stringify(row.name)}`;
      const key = `${row.scope} ${labelKey(row.name)}`;
      if (!hasVisibleCharacter(row.name)) faults.push(`${place} cannot be seen`);
      if (within !== undefined && seen.has(key)) faults.push(`${place} is there twice`);
      seen.add(key);
    }
  }
  return faults;
}
