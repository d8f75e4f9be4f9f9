import { setTimeout as pause } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { Client, type ClientConfig, Pool } from "pg";
import { type Embedded, startEmbedded } from "@/lib/database/embedded/embedded";
import * as schema from "@/lib/database/schema/schema";
import { openPipes, type Pipes, session } from "./connection";
import { dataDir } from "./data-dir";
import { isRetriable } from "./failures";
import { migrateStore } from "./migrate";

export { foreignKeyViolation, isStatementTimeout, isStoreDown, uniqueViolation } from "./failures";

export type Database = NodePgDatabase<typeof schema> & { $client: Pool };
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Executor = Database | Transaction;

interface Store {
  opening?: Promise<void> | undefined;
  embedded?: Embedded | undefined;
  pool?: Pool | undefined;
  pipes?: Pipes | undefined;
}

declare global {
  var gatehouseStore: Store | undefined;
}

/** One drizzle per bundle over the process's one pool. */
const databases = new WeakMap<Pool, Database>();

/** The store for single statements. Opened by the first call. */
export function db(): Database {
  const pool = openPool();
  const found = databases.get(pool) ?? drizzle({ client: pool, schema });
  databases.set(pool, found);
  return found;
}

/** Runs the work in one READ COMMITTED transaction, and again from the start, up to three times, when it lost a race. */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>, on = db()): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await on.transaction(work, { isolationLevel: "read committed" });
    } catch (error) {
      if (attempt > 3 || !isRetriable(error)) throw error;
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/**
 * One hot statement, prepared under its name, on a connection that does not wait for earlier answers. Who asks the same before
 * it is sent gets the same rows: never change them. Instants come as Date, bigint as string.
 */
export async function read<Row>(
  name: string,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const opened = store();
  opened.pipes ??= openPipes(connection(), 2);
  return opened.pipes.query<Row>(name, text, values);
}

/** Starts or adopts the embedded PostgreSQL unless DATABASE_URL names another, and migrates. Once per process; a failed start may be tried again. */
export async function openStore(): Promise<void> {
  const opened = store();
  opened.opening ??= open(opened).catch(async (error: unknown) => {
    await closeStore();
    throw error;
  });
  await opened.opening;
}

/** Ends every connection, and the embedded PostgreSQL if no other process uses it. The store may be opened again afterwards. */
export async function closeStore(): Promise<void> {
  const { pool, pipes, embedded } = store();
  globalThis.gatehouseStore = undefined;
  await Promise.all([pool?.end(), pipes?.end()]);
  await embedded?.close();
}

async function open(opened: Store): Promise<void> {
  if (!process.env.DATABASE_URL) opened.embedded = await startEmbedded(dataDir());
  const migration = process.env.MIGRATION_DATABASE_URL;
  if (migration) await migrateStore({ connectionString: migration }, new Client(connection()).user);
  else await migrateStore(connection());
}

function store(): Store {
  globalThis.gatehouseStore ??= {};
  return globalThis.gatehouseStore;
}

function connection(): ClientConfig {
  if (process.env.DATABASE_URL) return { connectionString: process.env.DATABASE_URL };
  const { embedded } = store();
  if (embedded === undefined)
    throw Object.assign(new Error("The store is not open yet."), { code: "57P03" });
  return embedded.connection;
}

function openPool(): Pool {
  const opened = store();
  if (opened.pool === undefined) {
    opened.pool = new Pool({
      ...session,
      ...connection(),
      max: Number(process.env.DATABASE_POOL) || 10,
      idleTimeoutMillis: 60_000,
    });
    // Without a listener of its own a connection that the server ends while it is in use would end the process.
    opened.pool.on("connect", (client) => client.on("error", () => undefined));
    opened.pool.on("error", () => undefined);
  }
  return opened.pool;
}
