import {
  assertCredentialUsable,
  assertNotRevoked,
  unknownCredential,
} from "@/lib/access/authenticate";
import { assertPasswordChanged, assertRights } from "@/lib/access/authorization";
import { type Caller, isIssuerEnded, type Origin } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import type { Transaction } from "@/lib/database/open";
import {
  assertKeyUsable,
  findKeyForChange,
  findKeyRow,
  type Row,
  type Whose,
} from "@/lib/features/api-keys/rows";
import { assertMayUse } from "@/lib/features/users/account-access";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { createHandOff, createManagedHandOff } from "./contract";
import type { HandOffRow } from "./rows";

/*
 * Whether a secret may be handed off, checked alike when the link is created and again when it is opened. Both checks run in a transaction
 * that locks the tenant's row. Every change that revokes rights writes that row first, so it is either visible here or waits.
 */

const creating = { own: createHandOff, managed: createManagedHandOff } as const;

/** The user who created a hand-off, and the epoch whose end invalidates it. */
type Issuer = Pick<HandOffRow, "tenantId" | "userId" | "issuerEpoch">;

/** The issuer with its current rights. Throws 401 and 403 if a session of the issuer could not create the hand-off now. */
async function currentIssuer(
  { tenantId, userId, issuerEpoch }: Issuer,
  whose: Whose,
  origin: Origin,
): Promise<Caller> {
  const credential = await describeCredential(tenantId, { userId });
  if (!credential || isIssuerEnded(issuerEpoch, credential.principal))
    throw unknownCredential("session", creating[whose].credentials);
  assertNotRevoked(credential);
  assertCredentialUsable(credential, Date.now());
  assertPasswordChanged(creating[whose], credential.principal);
  const issuer = { ...credential.principal, ...origin, siteId: undefined };
  assertRights(creating[whose], issuer);
  return issuer;
}

/** Throws 409 for a key whose secret is not usable: the recipient could not use it either. */
function assertSecretWorks(row: Row): void {
  assertKeyUsable(row);
  if (row.mustRotate || row.awaitsRotation)
    throw new ApiError(
      "api-key.rotation-required",
      `The secret of "${row.name}" does not work any more. Rotate the key first.`,
    );
  if (row.suspendedAt)
    throw new ApiError(
      "api-key.suspended",
      `The key "${row.name}" is suspended. Resume it first, then create the link.`,
    );
}

/** Throws 403 if the owner is deactivated or locked, so that no key of the owner works. */
async function assertOwnerActive({ tenantId, userId, name }: Row): Promise<void> {
  const owner = await describeCredential(tenantId, { userId });
  if (!owner) return;
  if (owner.deactivated)
    throw new ApiError(
      "user.deactivated",
      `The owner of "${name}" is deactivated. Reactivate the user first.`,
      userId,
    );
  const now = new Date();
  if (owner.locks.some((lock) => isLockedAt(lock, now)))
    throw new ApiError(
      "user.locked",
      `The owner of "${name}" is locked. Unlock the user first.`,
      userId,
    );
}

/** The key, if the issuer may hand off its secret now. Throws 401, 403, 404 and 409. */
export async function getKeyToHandOff(
  tx: Transaction,
  issuer: Issuer,
  { apiKeyId, whose }: { apiKeyId: string; whose: Whose },
  origin: Origin,
): Promise<Row> {
  const caller = await currentIssuer(issuer, whose, origin);
  const { row, owner } = await findKeyForChange(tx, caller, apiKeyId, whose);
  if (owner) await assertMayUse("service-key", { tx, caller, target: owner });
  assertSecretWorks(row);
  if (owner) await assertOwnerActive(row);
  return row;
}

/** The key of a hand-off that may be opened; undefined if its issuer could not create it now, or the key was rotated. */
export async function findKeyOfHandOff(
  tx: Transaction,
  taken: HandOffRow,
  origin: Origin,
): Promise<Row | undefined> {
  const key = await findKeyRow(tx, taken);
  const isOpen = taken.expiresAt > new Date() && key?.secretHash.equals(taken.secretHash);
  if (!key || !isOpen) return undefined;
  const { apiKeyId } = taken;
  // A handover changes the secret, so the owner is still the one from when the link was created.
  const whose = key.userId === taken.userId ? "own" : "managed";
  try {
    return await getKeyToHandOff(tx, taken, { apiKeyId, whose }, origin);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}
