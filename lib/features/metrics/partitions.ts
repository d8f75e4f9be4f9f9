import { cleaningTime, storeNow } from "@/lib/database/clock";
import { asOwner } from "@/lib/database/owner-connection";
import { perProcess } from "@/lib/protocol/per-process";
import {
  dayMs,
  partitionOf,
  type RetentionTier,
  retainedSince,
  retentionTiers,
  writtenSince,
} from "./grains";

/** The advisory lock of the process that changes partitions: an arbitrary number, the same in every release. */
const partitionsLock = 1_204_913_377;

/** Partitions exist this far ahead, so that a clock that runs fast finds one. */
const aheadMs = 2 * dayMs;
/** A partition is dropped once it has been due for this long: a clock that is wrong for some minutes drops nothing. */
const dueMs = 15 * 60_000;

/** From (inclusive) and to (exclusive), milliseconds since the epoch. */
export type Range = readonly [from: number, to: number];
/** The instants that each table has a partition for. */
export type Written = ReadonlyMap<RetentionTier, readonly Range[]>;

interface Partitions {
  day: number;
  written: Promise<Written>;
}

/** The day whose partitions are due to be dropped, since when (monotonic), and whether that has been done. */
interface Due {
  day: number;
  since: number;
  isDone: boolean;
}

interface State {
  partitions?: Partitions | undefined;
  due?: Due;
}

const state = perProcess("metrics-partitions", (): State => ({}));

const nameOf = (tier: RetentionTier, from: number) =>
  `${tier.table}_${new Date(from).toISOString().slice(0, 10).replaceAll("-", "")}`;

/** The range of a partition, from its name: `metric_minutes_20261122` holds that day. */
function rangeOf(tier: RetentionTier, name: string): Range {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  const { from, to } = partitionOf(tier, Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return [from, to];
}

function neededPartitions(tier: RetentionTier, now: number): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = writtenSince(tier, now); at <= now + aheadMs; ) {
    const { from, to } = partitionOf(tier, at);
    const bounds = `from ('${new Date(from).toISOString()}') to ('${new Date(to).toISOString()}')`;
    found.set(
      nameOf(tier, from),
      `create table if not exists ${nameOf(tier, from)} partition of ${tier.table} for values ${bounds}`,
    );
    at = to;
  }
  return found;
}

type Run = (text: string) => Promise<string[]>;

const listPartitions = (run: Run, { table }: RetentionTier) =>
  run(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '${table}'::regclass`,
  );

/** Creates what is missing. A table's ranges: the existing and the added ones. */
async function create(run: Run, now: number): Promise<Written> {
  const written = new Map<RetentionTier, Range[]>();
  for (const tier of retentionTiers) {
    const here = new Set(await listPartitions(run, tier));
    for (const [name, text] of neededPartitions(tier, now)) {
      if (!here.has(name)) await run(text);
      here.add(name);
    }
    const ranges = [...here].map((name) => rangeOf(tier, name));
    written.set(
      tier,
      ranges.sort(([a], [b]) => a - b),
    );
  }
  return written;
}

async function drop(run: Run, now: number): Promise<void> {
  for (const tier of retentionTiers) {
    const oldest = nameOf(tier, partitionOf(tier, retainedSince(tier, now)).from);
    for (const name of await listPartitions(run, tier))
      if (name < oldest) await run(`drop table if exists ${name}`);
  }
}

/** Runs on one connection, which holds the advisory lock. */
function withLock<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
  return asOwner(async ({ $client }) => {
    const client = await $client.connect();
    const run: Run = async (text) =>
      (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
    let isBroken = true;
    try {
      await run(`select pg_advisory_lock(${partitionsLock})::text as name`);
      const result = await work(run);
      await run(`select pg_advisory_unlock(${partitionsLock})::text as name`);
      isBroken = false;
      return result;
    } finally {
      // Closes the connection after a failure, which releases the lock.
      client.release(isBroken);
    }
  });
}

/** Creates the partitions that today's writes need, once a day and process unless it failed. Resolves to the ranges that can be written. */
export function preparePartitions(now = storeNow()): Promise<Written> {
  const day = Math.floor(now / dayMs);
  const { partitions } = state();
  if (partitions?.day === day) return partitions.written;
  const written = withLock((run) => create(run, now));
  state().partitions = { day, written };
  written.catch(forgetPartitions);
  return written;
}

/** Forces the next write to re-read the partitions, after another process dropped one. */
export function forgetPartitions(): void {
  state().partitions = undefined;
}

/** Whether PostgreSQL rejected a row that has no partition. */
export const isPartitionMissing = (error: unknown): boolean =>
  (error as { code?: string }).code === "23514";

/**
 * Drops the partitions whose retention is over, once a day. Called every minute: does nothing in the first 15 minutes of a day by the
 * monotonic clock, nor while the clocks cannot be trusted.
 */
export async function dropOldPartitions(): Promise<void> {
  const day = Math.floor(Date.now() / dayMs);
  if (state().due?.day !== day) state().due = { day, since: performance.now(), isDone: false };
  const { due } = state();
  if (!due || due.isDone || performance.now() - due.since < dueMs) return;
  const now = await cleaningTime();
  if (!now) return;
  await withLock((run) => drop(run, now.getTime()));
  due.isDone = true;
  forgetPartitions();
}
