import type { z } from "zod";
import { type Caller, peopleBehind } from "@/lib/access/caller";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { type Transaction, uniqueViolation } from "@/lib/database/open";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { assertMayUse } from "@/lib/features/users/account-access";
import { findTarget } from "@/lib/features/users/find-target";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type { ApiKey, Rotation } from "./contract";
import { assertValidTo } from "./create";
import {
  assertKeyUsable,
  type Row,
  revokeExpiredNamesake,
  statusOf,
  toApiKey,
  type Whose,
  withKeyForUpdate,
  writeKey,
} from "./rows";
import { deletePreviousUseRows } from "./service";

const defaultOverlapSeconds = 86_400;
const maxOverlapDays = 30;

interface Renewal {
  validTo: Date;
  previousValidTo: Date;
  /** The new owner, in a handover. */
  userId?: string;
  /** The secret is never revealed: the key is suspended until its new owner rotates it. */
  awaitsRotation?: boolean;
}

/** The users who know a secret that is valid after the renewal; null for a person's own key. */
function knownTo(caller: Caller, row: Row, userId: string, overlaps: boolean): string[] | null {
  if (userId === caller.userId) return null;
  return [...new Set([...(overlaps ? (row.knownTo ?? []) : []), ...peopleBehind(caller)])];
}

/** Replaces the current secret, which stays valid until `previousValidTo`. A secret from before an earlier rotation expires at once. */
async function renew(tx: Transaction, caller: Caller, row: Row, wanted: Renewal) {
  const secret = newApiKey();
  const { validTo, previousValidTo, userId = row.userId, awaitsRotation = false } = wanted;
  const overlaps = previousValidTo > new Date();
  const previous = overlaps
    ? { previousHash: row.secretHash, previousValidTo }
    : { previousHash: null, previousValidTo: null };
  await deletePreviousUseRows(tx, row.tenantId, [row.apiKeyId]);
  const changes = {
    validTo: { before: row.validTo.toISOString(), after: validTo.toISOString() },
    previousValidTo: { after: previousValidTo.toISOString() },
    ...(userId === row.userId ? {} : { owner: { before: row.userId, after: userId } }),
  };
  const set = {
    secretHash: sha256(secret),
    hint: secret.slice(-4),
    validTo,
    mustRotate: false,
    awaitsRotation,
    userId,
    knownTo: awaitsRotation ? null : knownTo(caller, row, userId, overlaps),
    ...previous,
  };
  const renewed = await writeKey(tx, caller, row, {
    set,
    action: userId === row.userId ? "api-key.rotated" : "api-key.handed-over",
    changes,
  });
  const { apiKeyId } = row;
  const status = statusOf(renewed);
  return {
    apiKey: secret,
    apiKeyId,
    validTo: validTo.toISOString(),
    previousValidTo: previousValidTo.toISOString(),
    status,
  };
}

/**
 * Gives a key a new secret under the same id. The previous secret stays valid for the overlap, unless it leaked or was never revealed. A
 * person's first rotation of a key that was handed over ends its suspension. A manager rotates
 * keys of service users only, and needs all rights of the service user.
 */
export async function rotateApiKey(
  caller: Caller,
  apiKeyId: string,
  { overlap, validTo }: z.output<typeof Rotation>,
  whose: Whose,
) {
  if ((overlap ?? 0) > maxOverlapDays * 86_400)
    throw invalid([
      { pointer: "/overlap", detail: `/overlap must be at most P${maxOverlapDays}D.` },
    ]);
  if (validTo) await assertValidTo(caller.tenantId, validTo);
  return withKeyForUpdate(caller, apiKeyId, whose, async (tx, { row, owner }) => {
    if (owner) await assertMayUse("service-key", { tx, caller, target: owner });
    assertKeyUsable(row);
    const seconds = row.mustRotate || row.awaitsRotation ? 0 : (overlap ?? defaultOverlapSeconds);
    const end = Math.min(Date.now() + seconds * 1000, row.validTo.getTime());
    return renew(tx, caller, row, {
      validTo: validTo ?? row.validTo,
      previousValidTo: new Date(end),
    });
  });
}

/** Expires the secret from before the last rotation now: requests with it are then rejected as unknown. */
export async function retirePreviousSecret(caller: Caller, apiKeyId: string): Promise<ApiKey> {
  return withKeyForUpdate(caller, apiKeyId, "own", async (tx, { row }) => {
    if (row.previousHash === null) return toApiKey(row);
    await deletePreviousUseRows(tx, row.tenantId, [row.apiKeyId]);
    const set = { previousHash: null, previousValidTo: null };
    return toApiKey(await writeKey(tx, caller, row, { set, action: "api-key.previous-retired" }));
  });
}

/**
 * Gives a key to another user, always with a new secret and without overlap, so that the old secret never carries the new owner's rights.
 * The secret is returned to the manager for a service user only; a person receives the key suspended and rotates it.
 * Throws 400 if the user already owns the key.
 */
export async function handOverKey(caller: Caller, apiKeyId: string, userId: string) {
  try {
    return await withKeyForUpdate(caller, apiKeyId, "managed", async (tx, { row }) => {
      const heir = await findTarget(tx, caller, userId, "api-key.manage");
      await assertMayUse("key-handover", { tx, caller, target: heir });
      assertKeyUsable(row);
      if (userId === row.userId)
        throw invalid([{ pointer: "/userId", detail: "/userId already owns this key." }]);
      await revokeExpiredNamesake(tx, caller, { userId, nameKey: row.nameKey });
      const awaitsRotation = heir.kind === "person";
      const { apiKey, ...key } = await renew(tx, caller, row, {
        validTo: row.validTo,
        previousValidTo: new Date(),
        userId,
        awaitsRotation,
      });
      await assertQuota(tx, caller.tenantId, "user-keys", userId);
      return awaitsRotation ? key : { ...key, apiKey };
    });
  } catch (error) {
    if (uniqueViolation(error) === "api_keys_name_unique")
      throw new ApiError(
        "api-key.name-taken",
        "The new owner already has a key of this name.",
        "/userId",
      );
    throw error;
  }
}
