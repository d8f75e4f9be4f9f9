import type { z } from "zod";
import { lockTenant, withAccessChange } from "@/lib/access/access-versions";
import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { endAllSessions } from "@/lib/access/end-sessions";
import { rememberNetwork } from "@/lib/access/known-networks";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertEmergencyAdministratorStays } from "@/lib/features/users/emergency-administrators";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { describeSecret, matchStep, newSharedSecret, replaceRecoveryCodes } from "./codes";
import type { createSecondFactor as declared, SecondFactor } from "./contract";
import {
  confirmedFactorsOf,
  confirmFactor,
  countConfirmed,
  deleteFactor,
  deleteRecoveryCodes,
  findFactor,
  findRecoveryCodes,
  insertFactor,
  openFactor,
  type SecondFactorRow,
  sealFactor,
} from "./rows";
import { maxFactors } from "./values";

type NewSecondFactor = z.output<NonNullable<typeof declared.body>>;

const confirmWithinMs = 3_600_000;

/** The owner of the second factors, by a session or by a sign-in that sets up the first one: then `credentialId` is its challenge. */
export interface Owner
  extends Pick<
    Caller,
    | "tenantId"
    | "homeTenantId"
    | "userId"
    | "login"
    | "name"
    | "kind"
    | "credentialId"
    | "isServiceUser"
    | "requestId"
    | "address"
    | "agent"
  > {
  isSigningIn?: true;
}

/** Throws 403 outside the caller's home tenant, the only one that stores second factors. */
export function assertOwn({ tenantId, homeTenantId }: Owner): void {
  if (homeTenantId !== tenantId)
    throw new ApiError(
      "user.other-home",
      `Your second factors belong to your home tenant ${homeTenantId}.`,
      homeTenantId,
    );
}

/** Throws 409 for a service user. */
export function assertPerson({ isServiceUser }: Owner): void {
  if (!isServiceUser) return;
  throw new ApiError("user.no-password", "A service user has no password, and no second factor.");
}

export function toSecondFactor(row: SecondFactorRow): SecondFactor {
  const { factorId: id, kind, name, createdAt, lastUsedAt } = row;
  return {
    ...{ id, kind, name, createdAt: createdAt.toISOString() },
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

export const recordChange = (
  tx: Transaction,
  caller: Owner,
  action: `user.${string}`,
  changes: AuditChanges,
) =>
  record(tx, actingAs(caller), {
    action,
    target: { type: "user", id: caller.userId, name: caller.login },
    changes,
  });

export const named = ({ kind, name }: Pick<SecondFactorRow, "kind" | "name">) => ({ kind, name });

export async function listSecondFactors(caller: Caller) {
  assertOwn(caller);
  return (await confirmedFactorsOf(caller)).map(toSecondFactor);
}

export async function countRecoveryCodes(caller: Caller) {
  assertOwn(caller);
  return { recoveryCodesLeft: (await findRecoveryCodes(caller))?.codeHashes.length ?? 0 };
}

/** Creates the secret of an authenticator app, returned only here and unusable until it is confirmed. Throws 409. */
export async function createSecondFactor(caller: Owner, { kind, name }: NewSecondFactor) {
  assertOwn(caller);
  assertPerson(caller);
  const { tenantId, userId, login } = caller;
  const id = newId("fac");
  const secret = newSharedSecret();
  const row = { tenantId, userId, factorId: id, kind, name: name ?? "Authenticator app" };
  await transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    if ((await countConfirmed(tx, caller, "totp")) >= maxFactors)
      throw new ApiError(
        "second-factor.limit-reached",
        `You have ${maxFactors} authenticator apps. Remove one first.`,
        String(maxFactors),
      );
    await insertFactor(tx, { ...row, secret: sealFactor(secret, id), createdAt: new Date() });
    await recordChange(tx, caller, "user.second-factor-begun", {
      secondFactor: { after: named(row) },
    });
  });
  const shown = describeSecret(secret, { tenantId, login });
  return { id, kind, name: row.name, ...shown, isConfirmed: false as const };
}

const notFound = () =>
  new ApiError("second-factor.not-found", "You have no such second factor. Set it up anew.");

/** The step of the code for an unconfirmed factor. Throws 404, 409, and 400 for a wrong code. */
async function checkFirstCode(caller: Owner, factorId: string, code: string) {
  const factor = await findFactor(caller, factorId);
  const secret = factor && openFactor(factor);
  if (!factor || !secret) throw notFound();
  assertFirst(caller, factor.confirmedAt === null);
  if (factor.confirmedAt)
    throw new ApiError("second-factor.confirmed", "This second factor is confirmed already.");
  if (Date.now() - factor.createdAt.getTime() > confirmWithinMs) throw notFound();
  const step = matchStep(secret, code, Date.now());
  if (step === undefined)
    throw invalid([
      {
        pointer: "/code",
        detail: "The code is not right. Check that the clock of the device is right.",
      },
    ]);
  return { factor, step };
}

/** The effects of the first factor: creates recovery codes, and ends all other sessions, which only a password had opened. */
export async function beginAsking(tx: Transaction, caller: Owner) {
  const { isKept } = await endAllSessions(tx, caller, caller.credentialId);
  if (!isKept && !caller.isSigningIn) throw unknownCredential("session");
  return { recoveryCodes: await replaceRecoveryCodes(tx, caller) };
}

/** A sign-in only sets up the first factor, or a password could add more. Of concurrent ones only one is the first. Throws 404. */
export function assertFirst({ isSigningIn }: Owner, isFirst: boolean): void {
  if (isSigningIn && !isFirst) throw notFound();
}

/** From now on the sign-in requires it. The confirming code cannot be used to sign in. The user's network becomes known. */
export async function confirmSecondFactor(
  caller: Owner,
  factorId: string,
  code: string,
): Promise<{ recoveryCodes?: string[] }> {
  assertOwn(caller);
  const { factor, step } = await checkFirstCode(caller, factorId, code);
  const { tenantId, userId: loginKey, address } = caller;
  const answer = await withAccessChange(tenantId, async (tx) => {
    const isFirst = (await countConfirmed(tx, caller)) === 0;
    assertFirst(caller, isFirst);
    if (!(await confirmFactor(tx, factor, { confirmedAt: new Date(), lastStep: step })))
      throw notFound();
    await recordChange(tx, caller, "user.second-factor-added", {
      secondFactor: { after: named(factor) },
    });
    return isFirst ? beginAsking(tx, caller) : {};
  });
  rememberNetwork({ tenantId, plane: "second-factor", loginKey, address });
  return answer;
}

/** The recovery codes are deleted with the last one: then a password is enough again. Throws 404. */
export async function deleteSecondFactor(caller: Caller, factorId: string): Promise<void> {
  assertOwn(caller);
  await transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    const left = (await confirmedFactorsOf(caller, tx)).filter((one) => one.factorId !== factorId);
    if (left.length === 0) await assertEmergencyAdministratorStays(tx, caller);
    const deleted = await deleteFactor(tx, caller, factorId);
    if (!deleted) throw notFound();
    if (left.length === 0) await deleteRecoveryCodes(tx, caller);
    await recordChange(tx, caller, "user.second-factor-removed", {
      secondFactor: { before: named(deleted) },
    });
  });
}

/** Replaces the recovery codes, used or not. Throws 409 for a user without a second factor. */
export async function createRecoveryCodes(caller: Caller): Promise<{ recoveryCodes: string[] }> {
  assertOwn(caller);
  return transaction(async (tx) => {
    await lockTenant(tx, caller.tenantId);
    if ((await countConfirmed(tx, caller)) === 0)
      throw new ApiError(
        "second-factor.not-set-up",
        "You have no second factor. Set one up: it comes with recovery codes.",
      );
    const codes = await replaceRecoveryCodes(tx, caller);
    await recordChange(tx, caller, "user.recovery-codes-created", {
      recoveryCodes: { after: codes.length },
    });
    return { recoveryCodes: codes };
  });
}
