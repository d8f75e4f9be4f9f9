import { perProcess } from "@/lib/protocol/per-process";
import { failed, isNodeAway, storeFailure } from "./failures";
import { accessVersions } from "./global";
import { db, storeState } from "./open";

/** Result of one check: "ok", or the problem. "degraded": nodes of the cluster are unreachable, the tenants of the others are served. */
export type Check = "ok" | "degraded" | "away" | "full" | "read-only" | "busy" | "slow" | "failed";

export interface StoreChecks {
  reads: Check;
  writes: Check;
}

/** Health is polled often, and never waits longer. */
const patienceMilliseconds = 1000;
/** Requests within this time get the same result. */
const keptMilliseconds = 250;

const writable = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/** Runs a transaction that could write, ahead of the queue of the pool. */
async function tryWriting(): Promise<void> {
  const loan = await db().$client.connect({ isFirst: true });
  let isBroken = true;
  try {
    await loan.query("begin");
    const { rows } = await loan.query<{ isReadOnly: boolean }>(writable);
    await loan.query("rollback");
    isBroken = rows[0]?.isReadOnly === true;
    if (isBroken) throw failed("25006", "The store is read-only.");
  } finally {
    loan.release(isBroken);
  }
}

async function check(work: () => Promise<unknown>): Promise<Check> {
  let tooLate: NodeJS.Timeout | undefined;
  const slow = new Promise<Check>((resolve) => {
    tooLate = setTimeout(() => resolve("slow"), patienceMilliseconds);
  });
  const tried = work().then(
    (): Check => "ok",
    (error: unknown): Check => (isNodeAway(error) ? "degraded" : (storeFailure(error) ?? "failed")),
  );
  return Promise.race([tried, slow]).finally(() => clearTimeout(tooLate));
}

interface Checked {
  at: number;
  checks: Promise<StoreChecks>;
}

const latest = perProcess("readiness", (): { checked?: Checked } => ({}));

async function checkNow(): Promise<StoreChecks> {
  const [reads, writes] = await Promise.all([check(() => accessVersions([])), check(tryWriting)]);
  // A transaction without writes cannot detect a full disk, so a write that failed within the last minute counts.
  return { reads, writes: writes === "ok" && storeState()?.isFull ? "full" : writes };
}

/** Checks the connections that every request and every write use. */
export function checkStore(): Promise<StoreChecks> {
  const now = performance.now();
  const { checked } = latest();
  if (checked !== undefined && now - checked.at <= keptMilliseconds) return checked.checks;
  const checks = checkNow();
  latest().checked = { at: now, checks };
  return checks;
}
