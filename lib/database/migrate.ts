import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { setting } from "@/lib/protocol/settings";
import { applyMigrations } from "./apply-migrations";
import { connect } from "./connection";
import { projectRoot } from "./data-dir";
import { distributeNewTables } from "./distribution";
import { patiently } from "./patience";
import { prepareSearch } from "./search-index";

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

export const migrationsFolder = (): string => join(projectRoot(), "lib", "database", "migrations");

/** Any number, the same in every release: the advisory lock that one migrating process holds. */
const migrating = 1_633_837_924;
/** Another process may build an index on a large table. */
const turnMilliseconds = 30 * 60_000;
/**
 * Brings the schema up to date; of several processes that start at once one does it and the others wait. With `appUser`, that user may
 * do what the service does and no more. A store that goes away in the middle is waited for: what was finished stays.
 */
export function migrateStore(
  connection: ClientConfig,
  appUser?: string,
  folder = migrationsFolder(),
): Promise<void> {
  return patiently(() => migrateOnce(connection, appUser, folder));
}

/** The same without waiting: fails where the store is away or goes away. What was finished stays. */
export async function migrateOnce(
  connection: ClientConfig,
  appUser?: string,
  folder = migrationsFolder(),
): Promise<void> {
  const { client, end } = await connect(connection, undefined);
  try {
    await client.query("set timezone = 'UTC'");
    await waitForTurn(client);
    const isNewerAccepted = setting("NEWER_STORE") === "accept";
    await applyMigrations(client, folder, { isNewerAccepted });
    await distributeNewTables(client);
    await prepareSearch(client);
    if (appUser !== undefined && appUser !== client.user) await grantService(client, appUser);
  } finally {
    await end();
  }
}

/** Asks again and again: a statement that waits for the lock would keep the other process's concurrent index build from its end. */
export async function waitForTurn(client: Client): Promise<void> {
  for (const givenUpAt = performance.now() + turnMilliseconds; ; await pause(100)) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [migrating]);
    if (rows[0]?.mine) return;
    if (performance.now() > givenUpAt)
      throw new Error("Another process has been migrating the store for too long. Start again.");
  }
}
