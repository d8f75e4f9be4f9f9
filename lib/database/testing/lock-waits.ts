import { sql } from "drizzle-orm";
import { Client } from "pg";
import { expect, inject } from "vitest";
import type { Transaction } from "@/lib/database/open";
import { nodesOf, onServer } from "./databases";

const databaseName = () => new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);

/**
 * How many sessions of this test file's database wait for a lock in a statement that the regular expression matches: on a cluster, read
 * from the node with the rows, which has its own text of the statement.
 */
export async function lockWaits(statement = ""): Promise<number> {
  return (await ofWaiting("pid", statement)).length;
}

async function ofWaiting(what: string, statement = ""): Promise<unknown[]> {
  const text = `select ${what} from pg_stat_activity where datname = '${databaseName()}' and wait_event_type = 'Lock' and query ~* '${statement}'`;
  const nodes = await nodesOf(inject("testStore").server);
  return (await Promise.all(nodes.map((node) => onServer(node, text)))).flat();
}

/** Resolves once a session of this test file's database that waits for a lock was ended. Polls through the transaction, too, as below. */
export async function endLockWait(tx: Transaction): Promise<void> {
  const ended = async () => {
    await tx.execute(sql`select 1`);
    return (await ofWaiting("pg_terminate_backend(pid)")).length;
  };
  await expect.poll(ended).toBeGreaterThan(0);
}

/**
 * Resolves once this many connections to this test file's database wait for a lock: the other side has then arrived. Polls through
 * the transaction that holds the lock, which is therefore never idle.
 */
export async function awaitLockWaits(tx: Transaction, waiters = 1): Promise<void> {
  const waiting = async () => {
    await tx.execute(sql`select 1`);
    return lockWaits();
  };
  await expect.poll(waiting).toBeGreaterThanOrEqual(waiters);
}

/** A lock on a connection outside the pools, and a statement that waits for its end. */
export async function holdLock(connectionString: string) {
  const holder = new Client({ connectionString });
  await holder.connect();
  await holder.query("select pg_advisory_lock(1)");
  const whenLocked = (tx: Transaction) =>
    tx.execute(sql`select pg_advisory_xact_lock_shared(1)`).then(() => undefined);
  return { end: () => holder.end(), whenLocked };
}
