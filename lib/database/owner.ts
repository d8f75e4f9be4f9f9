import { setting } from "@/lib/protocol/settings";
import { openCircuit } from "./circuit";
import { type Database, databaseOn, db } from "./open";
import { openPool } from "./pool";

/** Work that the service's own user may not do where MIGRATION_DATABASE_URL names another one: partitions, and what the trail no longer keeps. */
export async function asOwner<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  const connectionString = setting("MIGRATION_DATABASE_URL");
  if (!connectionString) return work(db());
  const config = { connectionString };
  const circuit = openCircuit(config);
  const pool = openPool({ config, circuit, max: 1 });
  try {
    return await work(databaseOn(pool));
  } finally {
    await pool.end();
    circuit.close();
  }
}
