import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { assertSteppedUp } from "@/lib/access/step-up";
import { uniqueViolation } from "@/lib/database/open";
import { readEntriesAbout } from "@/lib/features/audit/entries-about";
import { assertMayUse } from "@/lib/features/users/account-access";
import { type AssertUnchanged, assertUnchangedBy } from "@/lib/http/answer";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { withOwner } from "./admin-list";
import { type ApiKeyChange, type ApiKeyDetails, getApiKey, type KeyLimitsChange } from "./contract";
import { assertValidTo, nameTaken } from "./create";
import type { ManagedKeyDetails } from "./managing-contract";
import {
  assertKeyUsable,
  type Row,
  revoked,
  revokeExpiredNamesake,
  statusOf,
  toApiKey,
  type Whose,
  withKeyForUpdate,
  writeKey,
} from "./rows";
import { previousUses, toDetails } from "./service";
import { changedSettingColumns, isLoosened, settingChanges } from "./settings";

/** A request about one of the caller's own keys. */
interface OfKey {
  caller: Caller;
  params: { apiKeyId: string };
}

/** The representation that the ETag of a key covers: uses of its previous secret are not part of it. */
const representationOf = (row: Row): ApiKeyDetails => ({ ...toApiKey(row), previousUses: [] });

/** Renames the caller's own key, shortens its validity or changes its limits. Throws 400 for a later expiry, 409 for a name in use. */
export async function updateApiKey(
  { caller, params: { apiKeyId }, body: given }: OfKey & { body: z.output<typeof ApiKeyChange> },
  assertUnchanged: AssertUnchanged,
): Promise<ApiKeyDetails> {
  const { name, validTo } = given;
  if (validTo) await assertValidTo(caller.tenantId, validTo);
  try {
    const changed = await withKeyForUpdate(caller, apiKeyId, "own", async (tx, { row }) => {
      await assertUnchanged(() => representationOf(row));
      assertKeyUsable(row);
      if (validTo && validTo > row.validTo) {
        throw invalid([
          {
            pointer: "/validTo",
            detail: `/validTo may only be earlier than ${row.validTo.toISOString()}. Rotate the key to extend it.`,
          },
        ]);
      }
      const nameKey = name === undefined ? row.nameKey : labelKey(name);
      if (nameKey !== row.nameKey)
        await revokeExpiredNamesake(tx, caller, { userId: row.userId, nameKey });
      const set = {
        ...(name !== undefined && { name, nameKey }),
        ...(validTo && { validTo }),
        ...changedSettingColumns(row, given),
      };
      const changes = {
        ...(name !== undefined && name !== row.name && { name: { before: row.name, after: name } }),
        ...(validTo && {
          validTo: { before: row.validTo.toISOString(), after: validTo.toISOString() },
        }),
        ...settingChanges(given, row),
      };
      if (Object.keys(changes).length === 0) return row;
      if (isLoosened(row, given)) await assertSteppedUp(caller, "policy");
      return writeKey(tx, caller, row, { set, action: "api-key.updated", changes });
    });
    return await toDetails(changed);
  } catch (error) {
    if (name !== undefined && uniqueViolation(error) === "api_keys_name_unique")
      throw nameTaken(name);
    throw error;
  }
}

/** The key is rejected with 403 until it is resumed. Suspending it again changes nothing. */
export function suspendApiKey(caller: Caller, apiKeyId: string, whose: Whose): Promise<Row> {
  return withKeyForUpdate(caller, apiKeyId, whose, async (tx, { row }) => {
    assertKeyUsable(row);
    if (row.suspendedAt) return row;
    const changes = { status: { before: "active", after: "suspended" } };
    return writeKey(tx, caller, row, {
      set: { suspendedAt: new Date() },
      action: "api-key.suspended",
      changes,
    });
  });
}

/** Undo in the portal is offered for less than this. */
const undoMs = 60_000;

/** Whether the caller suspended the key a moment ago: undoing that gives the key no more rights than before. */
async function hasJustSuspended({ tenantId, userId }: Caller, { apiKeyId, suspendedAt }: Row) {
  if (!suspendedAt || Date.now() - suspendedAt.getTime() > undoMs) return false;
  const { entries } = await readEntriesAbout({ tenantId, targetIds: [apiKeyId], limit: 10 });
  return entries.find(({ action }) => action === "api-key.suspended")?.actor.id === userId;
}

/** Throws 403 for a manager who lacks rights of the key's owner, and 409 for a key whose secret leaked and was not rotated since. */
export function resumeApiKey(caller: Caller, apiKeyId: string, whose: Whose): Promise<Row> {
  return withKeyForUpdate(caller, apiKeyId, whose, async (tx, { row, owner }) => {
    if (owner && !(await hasJustSuspended(caller, row)))
      await assertMayUse("key-resumption", { tx, caller, target: owner });
    assertKeyUsable(row);
    if (row.mustRotate)
      throw new ApiError(
        "api-key.rotation-required",
        `The secret of "${row.name}" is known to strangers. Rotate the key first.`,
      );
    if (row.awaitsRotation)
      throw new ApiError(
        "api-key.rotation-required",
        `"${row.name}" was handed over. Its new owner must rotate it first.`,
      );
    if (!row.suspendedAt) return row;
    const changes = { status: { before: "suspended", after: "active" } };
    return writeKey(tx, caller, row, {
      set: { suspendedAt: null },
      action: "api-key.resumed",
      changes,
    });
  });
}

/** The key is unknown everywhere within a second. Revoking it again changes nothing. */
export function revokeApiKey(
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
  assertUnchanged?: AssertUnchanged,
): Promise<Row> {
  return withKeyForUpdate(caller, apiKeyId, whose, async (tx, { row }) => {
    await assertUnchanged?.(() => representationOf(row));
    if (row.revokedAt) return row;
    const set = revoked();
    const changes = { status: { before: statusOf(row), after: "revoked" } };
    return writeKey(tx, caller, row, { set, action: "api-key.revoked", changes });
  });
}

/** Like `revokeApiKey`, for one of the caller's own keys. */
export async function revokeOwnKey(
  context: OfKey & Parameters<typeof assertUnchangedBy>[0],
): Promise<void> {
  const assertUnchanged = assertUnchangedBy(context, getApiKey);
  await revokeApiKey(context.caller, context.params.apiKeyId, "own", assertUnchanged);
}

interface LimitRequest {
  caller: Caller;
  params: { apiKeyId: string };
  body: z.output<typeof KeyLimitsChange>;
}

/**
 * Changes the rate limit and allowed addresses of a key as a manager. To loosen them, the manager needs all rights of the key's owner: an
 * attacker who has the key may depend on it. Throws 403, and 409 for a key that never works again.
 */
export async function limitManagedKey(
  { caller, params, body: given }: LimitRequest,
  assertUnchanged: AssertUnchanged,
): Promise<z.output<typeof ManagedKeyDetails>> {
  const changed = await withKeyForUpdate(
    caller,
    params.apiKeyId,
    "managed",
    async (tx, { row, owner }) => {
      await assertUnchanged(async () => ({ ...(await withOwner(caller, row)), previousUses: [] }));
      assertKeyUsable(row);
      const changes = settingChanges(given, row);
      if (Object.keys(changes).length === 0) return row;
      if (isLoosened(row, given)) {
        if (owner) await assertMayUse("looser-key-limits", { tx, caller, target: owner });
        await assertSteppedUp(caller, "policy");
      }
      const set = changedSettingColumns(row, given);
      return writeKey(tx, caller, row, { set, action: "api-key.updated", changes });
    },
  );
  return { ...(await withOwner(caller, changed)), previousUses: await previousUses(changed) };
}
