import type { ExtractTablesWithRelations } from "drizzle-orm";
import { NodePgSession, NodePgTransaction } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type * as schema from "@/lib/database/schema/schema";
import { failed, isNodeAway, isSpent } from "./failures";
import type { Loan, StorePool } from "./loan";

type Schema = typeof schema;
export type Transaction = NodePgTransaction<Schema, ExtractTablesWithRelations<Schema>>;

const dialect = new PgDialect();

/** drizzle's own transaction leaks the connection of a failed BEGIN; of its objects this needs only `query`. */
function transactionOn(loan: Loan): Transaction {
  const session = new NodePgSession<Schema, ExtractTablesWithRelations<Schema>>(
    loan as unknown as PoolClient,
    dialect,
    undefined,
  );
  return new NodePgTransaction(dialect, session, undefined);
}

/** drizzle does not expose the connection of a transaction. */
interface OnConnection {
  session: { client: Pick<PoolClient, "query"> };
}

/** Runs one statement of a transaction, without drizzle. Instants come as Date. */
export async function readWithin<Row>(
  tx: Transaction,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const { client } = (tx as unknown as OnConnection).session;
  return (await client.query(text, values)).rows;
}

/** Nothing was done yet, so a lost connection is replaced. */
async function begin(pool: StorePool): Promise<Loan> {
  for (let attempt = 1; ; attempt += 1) {
    const loan = await pool.connect();
    try {
      await loan.within(1000, "begin isolation level read committed");
      return loan;
    } catch (error) {
      loan.release(true);
      if (attempt === 3 || !isSpent(error)) throw error;
    }
  }
}

async function commit(loan: Loan): Promise<void> {
  const { command } = await loan.query("commit").catch((error: unknown) => {
    throw isSpent(error) || isNodeAway(error)
      ? failed("08007", "The store went away while it kept a transaction.", error)
      : error;
  });
  if (command !== "COMMIT")
    throw new Error("A statement of the transaction had failed: nothing of it was kept.");
}

const isUndone = (loan: Loan): Promise<boolean> =>
  loan.within(2000, "rollback").then(
    () => true,
    () => false,
  );

/** Runs the work in one READ COMMITTED transaction. In any case the connection is returned clean or closed. */
export async function runTransaction<T>(
  pool: StorePool,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const loan = await begin(pool);
  let isBroken = true;
  try {
    const result = await work(transactionOn(loan));
    await commit(loan);
    isBroken = false;
    return result;
  } catch (error) {
    isBroken = isSpent(error) || !(await isUndone(loan));
    throw error;
  } finally {
    loan.release(isBroken);
  }
}
