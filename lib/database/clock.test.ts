import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { perProcess, resetPerProcess } from "@/lib/protocol/per-process";
import { claimRound, cleaningTime, clockSkewMs, clocksAgree, databaseNow, storeNow } from "./clock";
import { db } from "./open";

const minute = 60_000;
const day = 24 * 60 * minute;
const clockState = perProcess("clock", (): { own?: object } => ({}));

const seen = (at: Date) =>
  db().execute(
    sql`insert into store_clock (name, seen_at) values ('trusted', ${at.toISOString()}) on conflict (name) do update set seen_at = excluded.seen_at`,
  );

/** Changes only this process's wall clock. */
function jump(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(performance.timeOrigin + performance.now() + milliseconds);
}

beforeEach(async () => {
  resetPerProcess("clock");
  await seen(new Date());
});
afterEach(() => vi.useRealTimers());

test("the database's time does not change when this process's clock jumps", async () => {
  const before = await databaseNow();
  jump(-500 * day);
  const after = await databaseNow();
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(0);
  expect(after.getTime() - before.getTime()).toBeLessThan(minute);
});

test.each([-500 * day, 9 * day, 500 * day, 2 * minute])(
  "nothing is cleaned while this process's clock is %d ms off, and cleaning goes on afterwards",
  async (off) => {
    expect(await cleaningTime()).toBeInstanceOf(Date);
    jump(off);
    expect(Math.abs((await clockSkewMs()) - off)).toBeLessThan(minute);
    expect(await clocksAgree()).toBe(false);
    expect(await cleaningTime()).toBeUndefined();
    vi.useRealTimers();
    expect(await cleaningTime()).toBeInstanceOf(Date);
  },
);

test.each([-500 * day, 9 * day])(
  "a jump of %d ms does not change the time, and causes no query",
  async (off) => {
    await databaseNow();
    const before = storeNow();
    jump(off);
    expect(Math.abs(storeNow() - before)).toBeLessThan(minute);
  },
);

test.each([-9 * day, 9 * day])(
  "nothing is cleaned when the store's last trusted time is %d ms away, as after a jump of both clocks",
  async (off) => {
    await seen(new Date(Date.now() + off));
    expect(await clocksAgree()).toBe(true);
    expect(await cleaningTime()).toBeUndefined();
  },
);

test("after an hour without a jump the time is trusted, whatever the store's last trusted time", async () => {
  await seen(new Date(Date.now() - 30 * day));
  const hourAgo = { wall: Date.now() - 60 * minute, monotonic: performance.now() - 60 * minute };
  clockState().own = hourAgo;
  expect(await cleaningTime()).toBeInstanceOf(Date);
});

test("only one of several processes claims a round, until the next is due", async () => {
  const name = `test ${performance.now()}`;
  const now = new Date();
  const claims = await Promise.all([1, 2, 3].map(() => claimRound(name, now, minute)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await claimRound(name, new Date(now.getTime() + minute - 1), minute)).toBe(false);
  expect(await claimRound(name, new Date(now.getTime() + minute), minute)).toBe(true);
});
