import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client, ClientConfig } from "pg";
import { setting } from "@/lib/protocol/settings";
import { applyMigrations } from "./apply-migrations";
import { connect } from "./connection";
import { projectRoot } from "./data-dir";
import { distributeNewTables } from "./distribution";
import { grantService } from "./grants";
import { patiently } from "./patience";
import { prepareSearch } from "./search-index";

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
