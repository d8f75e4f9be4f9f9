import type { ClientConfig } from "pg";
import { setting } from "@/lib/protocol/settings";
import { AwayTenants } from "./blocked";
import { openCircuit } from "./circuit";
import { type Connection, connect } from "./connection";
import { dataDir } from "./data-dir";
import { startEmbedded } from "./embedded/embedded";
import { type Database, databaseOn, db, ownerConfig } from "./open";
import { openPool } from "./pool";

/** Work that the service's own user may not do if another role owns the schema: partitions, and deletions from the audit trail. */
export async function asOwner<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  const config = ownerConfig();
  if (!config) return work(db());
  const circuit = openCircuit(config);
  const pool = openPool({ config, circuit, max: 1, away: new AwayTenants() });
  try {
    return await work(databaseOn(pool));
  } finally {
    await pool.end();
    circuit.close();
  }
}

/** The connections of the schema's owner, and of the service if that is another role. */
export interface StoreRoles {
  owner: ClientConfig;
  service: ClientConfig;
}

/** Runs the work with the configured store, without migrating it. */
export async function withUnmigratedStore<T>(work: (roles: StoreRoles) => Promise<T>): Promise<T> {
  const connectionString = setting("DATABASE_URL");
  if (connectionString) {
    const owner = setting("MIGRATION_DATABASE_URL") ?? connectionString;
    return work({ owner: { connectionString: owner }, service: { connectionString } });
  }
  const embedded = await startEmbedded(dataDir());
  try {
    return await work({ owner: embedded.owner, service: embedded.connection });
  } finally {
    await embedded.close();
  }
}

/** Runs the work with one connection of the schema's owner, whose statements may take as long as they need. */
export async function withOwnerConnection<T>(
  work: (connection: Connection, roles: StoreRoles) => Promise<T>,
): Promise<T> {
  return withUnmigratedStore(async (roles) => {
    const connection = await connect(roles.owner, undefined);
    try {
      return await work(connection, roles);
    } finally {
      connection.destroy();
    }
  });
}
