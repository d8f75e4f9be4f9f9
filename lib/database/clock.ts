import { sql } from "drizzle-orm";
import { storeClock } from "@/lib/database/schema/schema";
import { perProcess } from "@/lib/protocol/per-process";
import { db, type Executor } from "./open";

/**
 * Which time it is, by more than one clock.
 *
 * - `databaseNow` is the database's clock, read at most once a minute and carried on by the monotonic clock in between, so that a jump of
 *   this process's wall clock does not change it.
 * - `cleaningTime` answers the time by which data may be deleted for its age, or undefined while no clock can be trusted.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxSkewMs = minuteMs;
/** The most by which an instant may be out of order among rows sorted by their commits. */
export const maxClockDifferenceMs = hourMs;
const rereadAfterMs = minuteMs;
/** A longer gap since the store's last trusted time is accepted only after an hour without a clock jump. */
const maxGapMs = 48 * hourMs;
const steadyMs = hourMs;

interface Reading {
  wall: number;
  monotonic: number;
}

interface State {
  /** The database's clock. */
  database?: Reading;
  /** This process's clock at its last jump. */
  own: Reading;
}

const monotonicNow = () => performance.now();

const state = perProcess(
  "clock",
  (): State => ({ own: { wall: Date.now(), monotonic: monotonicNow() } }),
);

async function readDatabaseClock(on: Executor): Promise<Reading> {
  const started = monotonicNow();
  const { rows } = await on.execute<{ at: string }>(
    sql`select extract(epoch from clock_timestamp()) * 1000 as at`,
  );
  const ended = monotonicNow();
  const reading = { wall: Number(rows[0]?.at), monotonic: (started + ended) / 2 };
  state().database = reading;
  return reading;
}

const carriedOn = ({ wall, monotonic }: Reading) => wall + monotonicNow() - monotonic;

/** The database's time. Usually needs no statement; pass an open transaction, so that it does not wait for a second connection. */
export async function databaseNow(on: Executor = db()): Promise<Date> {
  const known = state().database;
  const isFresh = known !== undefined && monotonicNow() - known.monotonic < rereadAfterMs;
  return new Date(Math.round(carriedOn(isFresh ? known : await readDatabaseClock(on))));
}

/**
 * Milliseconds since the epoch, without a statement: by this process's clock, unless it is known to differ from the database's by more
 * than a minute, then by the database's. A jump of this process's clock does not change it.
 */
export function storeNow(): number {
  const known = state().database;
  const at = known === undefined ? Date.now() : carriedOn(known);
  return Math.abs(Date.now() - at) <= maxSkewMs ? Date.now() : Math.round(at);
}

/** Milliseconds by which this process's wall clock is ahead of the database's; negative when it is behind. One statement. */
export async function clockSkewMs(): Promise<number> {
  const reading = await readDatabaseClock(db());
  return Date.now() - carriedOn(reading);
}

/** Whether this process's wall clock and the database's differ by at most a minute. */
export async function clocksAgree(): Promise<boolean> {
  return Math.abs(await clockSkewMs()) <= maxSkewMs;
}

/** How long the wall clock has run in step with the monotonic one. */
function steadyForMs(): number {
  const { own } = state();
  const now = { wall: Date.now(), monotonic: monotonicNow() };
  const jumpMs = now.wall - own.wall - (now.monotonic - own.monotonic);
  if (Math.abs(jumpMs) > maxSkewMs) state().own = now;
  return now.monotonic - state().own.monotonic;
}

async function lastSeen(): Promise<Date | undefined> {
  const { rows } = await db().execute<{ at: Date }>(
    sql`select seen_at as at from store_clock where name = 'trusted'`,
  );
  return rows[0] && new Date(rows[0].at);
}

async function isPlausible(now: number): Promise<boolean> {
  if (steadyForMs() >= steadyMs) return true;
  const seen = await lastSeen();
  return (
    seen !== undefined && now >= seen.getTime() - maxSkewMs && now <= seen.getTime() + maxGapMs
  );
}

/**
 * The time by which rows and partitions may be considered old. Undefined while it cannot be trusted: the two clocks differ, or both may have
 * jumped, because the last trusted time is over two days away and this process has not run an hour without a jump. Then delete nothing.
 */
export async function cleaningTime(): Promise<Date | undefined> {
  steadyForMs();
  if (!(await clocksAgree())) return undefined;
  const now = Date.now();
  if (!(await isPlausible(now))) return undefined;
  await noteTime("trusted", new Date(now));
  return new Date(now);
}

async function noteTime(name: string, seenAt: Date): Promise<void> {
  await db()
    .insert(storeClock)
    .values({ name, seenAt })
    .onConflictDoUpdate({ target: storeClock.name, set: { seenAt } });
}

/** Claims a round of work for this process: true for only one of all processes within this many milliseconds. */
export async function claimRound(name: string, now: Date, everyMs: number): Promise<boolean> {
  const claimed = await db()
    .insert(storeClock)
    .values({ name, seenAt: now })
    .onConflictDoUpdate({
      target: storeClock.name,
      set: { seenAt: now },
      setWhere: sql`${storeClock.seenAt} <= ${new Date(now.getTime() - everyMs).toISOString()}::timestamptz or ${storeClock.seenAt} > ${now.toISOString()}::timestamptz`,
    })
    .returning({ name: storeClock.name });
  return claimed.length > 0;
}
