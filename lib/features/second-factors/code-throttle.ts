import { createHash } from "node:crypto";
import { networkAt } from "@/lib/access/address-ranges";
import type { Origin } from "@/lib/access/caller";
import { isKnownNetwork } from "@/lib/access/known-networks";
import type { UserKey } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { clearFailures, countFailure, lastFailure } from "./code-failure-rows";
import { codeWaitSeconds } from "./values";

/*
 * Wrong codes, counted in the store: an attacker who tries them has the password, and must not get as many tries as there are processes. A
 * network where the person proved a second factor before is counted by itself: an attacker locks nobody out there.
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
 * Checks a code as one try that is counted before it is made, in whatever process; a right one clears what was counted. From the 6th
 * wrong one on they wait a second, doubling each time, up to a quarter of an hour. Throws 429.
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
