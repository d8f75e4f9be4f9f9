import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import * as schema from "@/lib/database/schema/schema";
import { session } from "./connection";
import { type Database, db } from "./open";

/** Work that the service's own user may not do where MIGRATION_DATABASE_URL names another one: partitions, and what the trail no longer keeps. */
export async function asOwner<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  const connectionString = process.env.MIGRATION_DATABASE_URL;
  if (!connectionString) return work(db());
  const pool = new Pool({ ...session, connectionString, max: 1 });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  try {
    return await work(drizzle({ client: pool, schema }));
  } finally {
    await pool.end();
  }
}
