import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { customerLockedSql, isCustomerLockedAt, isLockedAt, userLockedSql } from "./locks";

const now = new Date("2026-06-01T12:00:00Z");
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];

test.each([
  [false, null, false],
  [false, after, false],
  [true, null, true],
  [true, after, true],
  [true, now, false],
  [true, before, false],
])("locked %s until %s: the lock is in effect: %s", async (isLocked, lockedUntil, expected) => {
  const lockedAt = isLocked ? before : null;
  const values = [isLocked, lockedAt, lockedUntil, now];
  const { rows } = await db().$client.query(
    `select ${userLockedSql("r", "$4")} as "user", ${customerLockedSql("r", "$4")} as customer
     from (values ($1::boolean, $2::timestamptz, $3::timestamptz)) as r (is_locked, locked_at, locked_until)`,
    values,
  );
  expect(isLockedAt({ isLocked, lockedUntil }, now)).toBe(expected);
  expect(isCustomerLockedAt({ lockedAt, lockedUntil }, now)).toBe(expected);
  expect(rows).toEqual([{ user: expected, customer: expected }]);
});
