import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { Client, type ClientConfig, type Pool } from "pg";
import { currentEmbedded, type Embedded, startEmbedded } from "@/lib/database/embedded/embedded";
import * as schema from "@/lib/database/schema/schema";
import { perProcess } from "@/lib/protocol/per-process";
import { splitHosts } from "@/lib/protocol/setting-formats";
import { setting } from "@/lib/protocol/settings";
import { AwayTenants } from "./blocked";
import { type Circuit, openCircuit } from "./circuit";
import { dataDir } from "./data-dir";
import { isRetriable } from "./failures";
import type { PoolState, StorePool } from "./loan";
import { migrateStore } from "./migrate";
import type { Pipes } from "./pipe";
import { openPipes } from "./pipes";
import { openPool } from "./pool";
import { openServerSessions, type ServerSessions } from "./server-sessions";
import { readWithin, runTransaction, type Transaction } from "./transaction";

export { foreignKeyViolation, isStatementTimeout, isStoreDown, uniqueViolation } from "./failures";
export type { Transaction } from "./transaction";

export type Database = Omit<NodePgDatabase<typeof schema>, "transaction"> & { $client: StorePool };
export type Executor = Database | Transaction;

/**
 * Work with separate connections, so that it never uses those of other requests: our own call metrics, batches that clients send, queries on both, the delivery of events, and
 * imports of customers. Queries on metrics join two long lists of a tenant for which the server may have no statistics yet: a nested loop over 10,000 series exceeded the statement
 * timeout.
 */
const lanes = {
  metrics: { max: 3 },
  batches: { max: 1 },
  deliveries: { max: 3 },
  imports: { max: 2 },
  questions: {
    max: 4,
    settings: "set enable_nestloop = off; set citus.propagate_set_commands = 'local'",
  },
} as const satisfies Record<string, { max: number; settings?: string }>;
export type Lane = keyof typeof lanes;

/** The connections of this process to the store, from the first call that needs them. */
interface Connections {
  circuit: Circuit;
  sessions: ServerSessions;
  pool: StorePool;
  /** Credentials, cached data of tenants, readiness: no other statements are queued on this connection. */
  access: Pipes;
  reads: Pipes;
  lanes: Record<Lane, StorePool>;
}

interface Store {
  opening?: Promise<void> | undefined;
  embedded?: Embedded | undefined;
  connections?: Connections | undefined;
}

/** Closing replaces the object, so that work still using the former store does not open connections of the new one. */
export const currentStore = perProcess("store", (): { store: Store } => ({ store: {} }));

/** One drizzle instance per bundle, over the process's shared pool. */
const databases = new WeakMap<StorePool, Database>();

/** The store for single statements. Opened by the first call. */
export function db(): Database {
  return databaseOn(connections().pool);
}

/** The connections of one kind of work. */
export function lane(name: Lane): StorePool {
  return connections().lanes[name];
}

/** drizzle over our pool, of which it needs `query` only. */
export function databaseOn(pool: StorePool): Database {
  const found =
    databases.get(pool) ??
    (drizzle({ client: pool as unknown as Pool, schema }) as unknown as Database);
  databases.set(pool, found);
  return found;
}

/** Runs the work in one READ COMMITTED transaction. Retries it from the start, up to three times, if it lost a race. */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>, on = db()): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(on.$client, work);
    } catch (error) {
      if (attempt > 3 || !isRetriable(error)) throw error;
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/**
 * Runs a hot statement, prepared under its name, on a connection that does not wait for earlier responses. Identical reads queued
 * before it is sent share its rows: never change them. Instants are Date, bigint is string. It may be sent twice, so it must only
 * read. Pass `within` to read an open transaction's writes.
 */
export async function read<Row>(
  name: string,
  text: string,
  values: unknown[],
  within?: Transaction,
): Promise<readonly Row[]> {
  if (within) return readWithin<Row>(within, text, values);
  return connections().reads.query<Row>(name, text, values);
}

const textKeys = perProcess("statement-text-keys", () => new Map<string, string>());
const maxTextKeys = 2000;

/**
 * A key, unique for each text, for the name of a statement that is composed of parts. A connection rejects a second text of one name.
 * @example read(`users ${textKey(text)}`, text, values)
 */
export function textKey(text: string): string {
  const known = textKeys().get(text);
  if (known !== undefined) return known;
  if (textKeys().size >= maxTextKeys) textKeys().clear();
  const key = hash("sha256", text, "base64url").slice(0, 16);
  textKeys().set(text, key);
  return key;
}

/** As `read`, for what every request needs before anything else. */
export async function readAccess<Row>(
  name: string,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  return connections().access.query<Row>(name, text, values);
}

/** The connections of this process, for measurements; undefined before the first statement. */
export function storeState() {
  const { connections: held } = store();
  if (!held) return undefined;
  const pools = { main: held.pool.state() } as Record<"main" | Lane, PoolState>;
  for (const name of Object.keys(held.lanes) as Lane[]) pools[name] = held.lanes[name].state();
  const pipes = { access: held.access.state(), reads: held.reads.state() };
  const { circuit } = held;
  return {
    pools,
    pipes,
    isCircuitOpen: circuit.rejection() !== undefined,
    isFull: circuit.isFull(),
  };
}

/** Starts or adopts the embedded PostgreSQL unless DATABASE_URL names another, and migrates. Once per process; a failed start may be tried again. */
export async function openStore(): Promise<void> {
  const opened = store();
  opened.opening ??= open(opened).catch(async (error: unknown) => {
    // The reason why it could not be opened is more useful than why it could not be closed.
    await closeStore().catch(() => undefined);
    throw error;
  });
  await opened.opening;
}

/** Ends every connection, and the embedded PostgreSQL if no other process uses it. The store may be opened again afterwards. */
export async function closeStore(): Promise<void> {
  const { connections: held, embedded } = store();
  currentStore().store = {};
  // A pool waits until its lent connections are released.
  const pools = held ? [held.pool, held.access, held.reads, ...Object.values(held.lanes)] : [];
  const ended = Promise.all(pools.map((pool) => pool.end()));
  await Promise.race([ended, pause(1500, undefined, { ref: false })]);
  held?.circuit.close();
  held?.sessions.close();
  await embedded?.close();
}

/** Ends the embedded PostgreSQL at once and without waiting for anything: for a process that must end now. It recovers at its next start. */
export function abandonStore(): void {
  currentEmbedded().embedded?.abandon();
}

async function open(opened: Store): Promise<void> {
  if (!setting("DATABASE_URL")) opened.embedded = await startEmbedded(dataDir());
  const owner = ownerConfig();
  if (owner) await migrateStore(owner, userOf(configured()));
  else await migrateStore(configured());
}

const store = (): Store => currentStore().store;

function userOf({ connectionString, ...rest }: ClientConfig): string | undefined {
  const [server] = connectionString === undefined ? [] : splitHosts(connectionString);
  return new Client(server === undefined ? rest : { connectionString: server }).user;
}

function configured(): ClientConfig {
  const connectionString = setting("DATABASE_URL");
  if (connectionString) return { connectionString };
  const { embedded } = store();
  if (embedded === undefined)
    throw Object.assign(new Error("The store is not open yet."), { code: "57P03" });
  return embedded.connection;
}

/** The connection of the schema's owner, if that is not the service's own role. */
export function ownerConfig(): ClientConfig | undefined {
  const connectionString = setting("MIGRATION_DATABASE_URL");
  if (connectionString) return { connectionString };
  return setting("DATABASE_URL") ? undefined : store().embedded?.owner;
}

function connections(): Connections {
  const opened = store();
  opened.connections ??= connectAll(configured());
  return opened.connections;
}

function connectAll(config: ClientConfig): Connections {
  const circuit = openCircuit(config);
  const sessions = openServerSessions(config);
  const max = setting("DATABASE_POOL");
  const away = new AwayTenants();
  const pool = openPool({ config, circuit, max, sessions, away, shedsFrozen: true });
  const aside = async (name: string, text: string, values: unknown[]) =>
    (await pool.query({ name, text, values }, undefined, { isTried: true })).rows;
  const access = openPipes({ config, circuit, away, count: 1, aside });
  const reads = openPipes({ config, circuit, away, count: 2, aside });
  const open = (name: Lane) => openPool({ config, circuit, sessions, away, ...lanes[name] });
  const own = {
    metrics: open("metrics"),
    batches: open("batches"),
    questions: open("questions"),
    deliveries: open("deliveries"),
    imports: open("imports"),
  };
  return { circuit, sessions, pool, access, reads, lanes: own };
}
