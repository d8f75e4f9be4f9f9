import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Transaction } from "@/lib/database/open";

/**
 * Resolves once this many connections to this test file's database wait for a lock: the holder of the lock then knows that the other
 * side has arrived. Asks through the transaction that holds it, which is therefore never idle; each look needs a fresh snapshot.
 */
export async function awaitLockWaits(tx: Transaction, waiters = 1): Promise<void> {
  const waiting = async () => {
    await tx.execute(sql`select pg_stat_clear_snapshot()`);
    const { rows } = await tx.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  };
  await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThanOrEqual(waiters);
}
