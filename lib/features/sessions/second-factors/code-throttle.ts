import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { networkAt } from "@/lib/access/address-ranges";
import type { Origin } from "@/lib/access/caller";
import { isKnownNetwork } from "@/lib/access/known-networks";
import { db } from "@/lib/database/open";
import { codeFailures } from "@/lib/database/schema/schema";
import type { UserKey } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { codeWaitSeconds, freeCodes, maxCodeWaitSeconds } from "./values";

type Counted = Pick<typeof codeFailures.$inferSelect, "tenantId" | "userId" | "scope">;

/** Older failures are ignored. */
const forgottenMs = 3_600_000;

const of = ({ tenantId, userId, scope }: Counted) =>
  and(
    eq(codeFailures.tenantId, tenantId),
    eq(codeFailures.userId, userId),
    eq(codeFailures.scope, scope),
  );

/** `codeWaitSeconds` as an SQL expression on the row, in milliseconds. */
const waitMs = sql`case when ${codeFailures.failures} <= ${freeCodes}::int then 0
  else 1000 * least(${maxCodeWaitSeconds}::int, (1 << least(20, ${codeFailures.failures} - ${freeCodes}::int - 1))) end`;

/** Counts an attempt as a failure. False if it must wait: concurrent attempts cannot exceed the limit. */
async function countFailure(counted: Counted, now: number): Promise<boolean> {
  const { tenantId, userId, scope } = counted;
  const isOld = sql`${codeFailures.failedAt} < ${now - forgottenMs}::bigint`;
  const written = await db()
    .insert(codeFailures)
    .values({ tenantId, userId, scope, failures: 1, failedAt: now })
    .onConflictDoUpdate({
      target: [codeFailures.tenantId, codeFailures.userId, codeFailures.scope],
      set: {
        failures: sql`case when ${isOld} then 1 else ${codeFailures.failures} + 1 end`,
        failedAt: now,
      },
      setWhere: sql`${isOld} or ${codeFailures.failedAt} + ${waitMs} <= ${now}::bigint`,
    })
    .returning({ failures: codeFailures.failures });
  return written.length > 0;
}

async function lastFailure(counted: Counted) {
  const [row] = await db().select().from(codeFailures).where(of(counted));
  return row;
}

async function clearFailures(counted: Counted): Promise<void> {
  await db().delete(codeFailures).where(of(counted));
}

/*
 * Counts wrong codes in the database: an attacker who guesses codes has the password, and must not get the attempts once per process. A
 * network where the user proved a second factor before has a separate count, so an attacker elsewhere cannot lock the user out there.
 */

const scopeOf = (address: string) =>
  createHash("sha256")
    .update(networkAt(address, "network") ?? "")
    .digest("hex");

function rejection(milliseconds: number): ApiError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const detail = `Too many wrong codes. Wait ${seconds} s, then try again.`;
  return new ApiError("auth.too-many-attempts", detail, undefined, {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Checks a code as one attempt that is counted first, across all processes; a correct code resets the count. From the 6th wrong one
 * on attempts wait a second, doubling each time, up to 15 minutes. Throws 429.
 */
export async function tryCode<Found>(
  user: UserKey,
  { address }: Pick<Origin, "address">,
  check: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (setting("LOGIN_THROTTLE") === "off") return check();
  const { tenantId, userId: loginKey } = user;
  const isKnown = await isKnownNetwork({ tenantId, plane: "second-factor", loginKey, address });
  const counted = { ...user, scope: isKnown ? scopeOf(address) : "" };
  if (!(await countFailure(counted, Date.now()))) {
    const last = await lastFailure(counted);
    const wait = last ? last.failedAt + codeWaitSeconds(last.failures) * 1000 - Date.now() : 0;
    throw rejection(wait);
  }
  const found = await check();
  if (found !== undefined) await clearFailures(counted);
  return found;
}
