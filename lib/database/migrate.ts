import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client, type ClientConfig } from "pg";
import { connectMilliseconds, session } from "./connection";
import { projectRoot } from "./data-dir";

/** Any number, the same in every release: the advisory lock that one migrating process holds. */
const migrating = 1_633_837_924;

/**
 * Brings the schema up to date; of several processes that start at once one does it and the others wait. With `appUser`, that user may
 * do what the service does and no more: audit entries are added, and their address and agent erased, but never changed or removed.
 */
export async function migrateStore(connection: ClientConfig, appUser?: string): Promise<void> {
  const client = new Client({
    ...session,
    ...connection,
    connectionTimeoutMillis: connectMilliseconds,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'");
    await client.query("select pg_advisory_lock($1)", [migrating]);
    await migrate(drizzle({ client }), {
      migrationsFolder: join(projectRoot(), "lib", "database", "migrations"),
    });
    if (appUser !== undefined && appUser !== client.user)
      await client.query(grants(client.escapeIdentifier(appUser)));
  } finally {
    await client.end();
  }
}

function grants(user: string): string {
  return `
    grant usage on schema public to ${user};
    grant select, insert, update, delete on all tables in schema public to ${user};
    revoke update, delete on audit_events, audit_heads from ${user};
    grant update (address, agent) on audit_events to ${user};`;
}
