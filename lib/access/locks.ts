/** A lock, which expires at its end, or without one lasts until it is removed. */
export interface Lock {
  isLocked: boolean;
  lockedUntil: Date | null;
}

/** Whether the lock is in effect at the time. */
export function isLockedAt({ isLocked, lockedUntil }: Lock, now: Date): boolean {
  return isLocked && (lockedUntil === null || lockedUntil > now);
}

/** A customer's row has the time of the lock instead of the flag of a user's row. */
export function isCustomerLockedAt(
  { lockedAt, lockedUntil }: { lockedAt: Date | null; lockedUntil: Date | null },
  now: Date,
): boolean {
  return isLockedAt({ isLocked: lockedAt !== null, lockedUntil }, now);
}

const heldAt = (isLocked: string, table: string, now: string) =>
  `(${isLocked} and coalesce(${table}.locked_until > ${now}::timestamptz, true))`;

/**
 * `isLockedAt` in SQL, for rows of `users`.
 * @example userLockedSql("u", "$3") // (u.is_locked and coalesce(u.locked_until > $3::timestamptz, true))
 */
export const userLockedSql = (table: string, now: string) =>
  heldAt(`${table}.is_locked`, table, now);

/** The same for rows of `customers`. */
export const customerLockedSql = (table: string, now: string) =>
  heldAt(`${table}.locked_at is not null`, table, now);
