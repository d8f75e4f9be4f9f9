import { sql } from "drizzle-orm";
import { perProcess } from "@/lib/protocol/per-process";
import { databaseOn, lane, transaction } from "./open";
import { readWithin } from "./transaction";

/** Whether a pool leads to a coordinator of Citus: asked once. */
const clusters = perProcess("clusters", () => new WeakMap<object, Promise<boolean>>());

function isCluster(): Promise<boolean> {
  const pool = lane("questions");
  const known = clusters().get(pool);
  if (known) return known;
  const asked = pool
    .query("select 1 from pg_extension where extname = 'citus'")
    .then(({ rows }) => rows.length > 0);
  clusters().set(pool, asked);
  asked.catch(() => clusters().delete(pool));
  return asked;
}

/**
 * The rows of a question that joins long lists, on the connections for questions, which have no nested loops. The nodes of a cluster plan
 * for themselves: there a setting reaches them only within a transaction. Unnamed: questions have so many forms that a prepared
 * statement for each would fill the server.
 */
export async function question<Row extends object>(
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const pool = lane("questions");
  if (!(await isCluster())) return (await pool.query<Row>({ text, values })).rows;
  return transaction(async (tx) => {
    await tx.execute(sql`set local enable_nestloop = off`);
    return readWithin<Row>(tx, text, values);
  }, databaseOn(pool));
}
