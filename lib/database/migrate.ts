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

/** Checks a role's privileges on tables, not on partitions: reading a table includes its partitions. */
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
 * Grants the user the privileges that the service needs and no more: it may add audit entries and erase their address and agent, but
 * not otherwise change or delete them. Changes nothing if that is so already, because a start must not block other running processes.
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
 * PostgreSQL has no separate code for a concurrent change or drop of a table (a partition that is created during a grant, for example): it
 * reports an internal error, and the grant has no effect.
 */
const isRaceLost = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "XX000";

export const migrationsFolder = (): string => join(projectRoot(), "lib", "database", "migrations");

/** Any number, the same in every release: the advisory lock that one migrating process holds. */
const migrating = 1_633_837_924;
/** Another process may build an index on a large table. */
const turnMilliseconds = 30 * 60_000;
/**
 * Brings the schema up to date; of several processes that start at once, one does it and the others wait. `appUser` gets the
 * privileges that the service needs. Waits for a store that becomes unavailable: finished migrations stay applied.
 */
export function migrateStore(
  connection: ClientConfig,
  appUser?: string,
  folder = migrationsFolder(),
): Promise<void> {
  return patiently(() => migrateOnce(connection, appUser, folder));
}

/** The same without waiting: fails if the store is or becomes unavailable. Finished migrations stay applied. */
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

/** Polls: a statement that waits for the lock would prevent the other process's concurrent index build from finishing. */
export async function waitForTurn(client: Client): Promise<void> {
  for (const givenUpAt = performance.now() + turnMilliseconds; ; await pause(100)) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [migrating]);
    if (rows[0]?.mine) return;
    if (performance.now() > givenUpAt)
      throw new Error("Another process has been migrating the store for too long. Start again.");
  }
}
