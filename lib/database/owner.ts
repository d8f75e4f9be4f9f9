import { AwayTenants } from "./blocked";
import { openCircuit } from "./circuit";
import { type Database, databaseOn, db, ownerConfig } from "./open";
import { openPool } from "./pool";

/** Work that the service's own user may not do where another role owns the schema: partitions, and what the trail no longer keeps. */
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
