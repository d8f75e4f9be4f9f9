import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";

const maxTries = 30;

/** A role's privileges on a table, and on nothing that is a part of one: who reads a table reads its partitions. */
const missing = `
  select not has_schema_privilege($1, 'public', 'usage')
    or has_table_privilege($1, 'audit_events', 'update, delete')
    or has_table_privilege($1, 'audit_heads', 'update, delete')
    or not has_column_privilege($1, 'audit_events', 'address', 'update')
    or not has_column_privilege($1, 'audit_events', 'agent', 'update')
    or exists (
      select from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not (has_table_privilege($1, c.oid, 'select') and has_table_privilege($1, c.oid, 'insert')
          and (c.relname in ('audit_events', 'audit_heads')
            or (has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete'))))
    ) as found`;

function grants(user: string): string {
  return `
    grant usage on schema public to ${user};
    grant select, insert, update, delete on all tables in schema public to ${user};
    revoke update, delete on audit_events, audit_heads from ${user};
    grant update (address, agent) on audit_events to ${user};`;
}

/**
 * Lets the user do what the service does and no more: audit entries are added, and their address and agent erased, but never changed or
 * removed. Changes nothing where that is so already, because a start must not get in the way of other processes that are at work.
 */
export async function grantService(client: Client, user: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ found: boolean }>(missing, [user]);
    if (!rows[0]?.found) return;
    try {
      await client.query(grants(client.escapeIdentifier(user)));
      return;
    } catch (error) {
      if (!isRaceLost(error) || tries === maxTries) throw error;
      await pause(100);
    }
  }
}

/**
 * PostgreSQL has no separate code for "somebody else changed or dropped this table meanwhile" (a partition that is created during a grant,
 * for example): it is an internal error, and the grant has done nothing.
 */
const isRaceLost = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "XX000";
