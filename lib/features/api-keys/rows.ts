import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { latestUse } from "@/lib/access/last-used";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { findTarget, type Target } from "@/lib/features/users/find-target";
import type { UserKey } from "@/lib/features/users/rows";
import { assertMayChange } from "@/lib/features/users/user-policy";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import type { ApiKey } from "./contract";
import { withdrawHandOffsOfKeys } from "./hand-offs/rows";
import { shownSettings } from "./settings";

/**
 * The statements on `api_keys` that read or change one key. Lists are in service.ts and admin-list.ts; lib/access looks keys up by their hash.
 */
export type Row = typeof apiKeys.$inferSelect;
type NewKeyRow = typeof apiKeys.$inferInsert;

/** The primary key of an API key row. */
export interface KeyId {
  tenantId: string;
  apiKeyId: string;
}

const byId = ({ tenantId, apiKeyId }: KeyId) =>
  and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.apiKeyId, apiKeyId));

export async function findKeyRow(tx: Executor, id: KeyId): Promise<Row | undefined> {
  const [row] = await tx.select().from(apiKeys).where(byId(id));
  return row;
}

export async function updateKeyRow(tx: Transaction, id: KeyId, set: Partial<NewKeyRow>) {
  await tx.update(apiKeys).set(set).where(byId(id));
}

/** Returns false if the user already has an unrevoked key of that name. */
export async function insertKeyRow(tx: Transaction, row: NewKeyRow): Promise<boolean> {
  const inserted = await tx
    .insert(apiKeys)
    .values(row)
    .onConflictDoNothing({
      target: [apiKeys.tenantId, apiKeys.userId, apiKeys.nameKey],
      where: sql`revoked_at is null`,
    })
    .returning({ apiKeyId: apiKeys.apiKeyId });
  return inserted.length > 0;
}

/** The latest keys of a user, including expired and revoked ones. */
export const latestKeysOf = ({ tenantId, userId }: UserKey): Promise<Row[]> =>
  db()
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.userId, userId)))
    .orderBy(desc(apiKeys.createdAt))
    .limit(200);

/** Revokes a user's keys, withdraws links to their secrets and clears their last used addresses. Returns the ids of all keys. */
export async function revokeKeysOf(tx: Transaction, user: UserKey): Promise<string[]> {
  const ofUser = and(eq(apiKeys.tenantId, user.tenantId), eq(apiKeys.userId, user.userId));
  await tx
    .update(apiKeys)
    .set(revoked())
    .where(and(ofUser, isNull(apiKeys.revokedAt)));
  const keys = await tx
    .update(apiKeys)
    .set({ lastUsedIp: null })
    .where(ofUser)
    .returning({ apiKeyId: apiKeys.apiKeyId });
  const ids = keys.map(({ apiKeyId }) => apiKeyId);
  await withdrawHandOffsOfKeys(tx, user.tenantId, ids);
  return ids;
}

/** Whether a key is changed by its owner or by a manager of all the tenant's keys. */
export type Whose = "own" | "managed";

const missing = () => new ApiError("api-key.not-found", "There is no such API key.");

/** The key. Throws 404; with "own" also for a key of another user. */
export async function findKey(
  tx: Executor,
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
): Promise<Row> {
  const row = await findKeyRow(tx, { tenantId: caller.tenantId, apiKeyId });
  if (!row || (whose === "own" && row.userId !== caller.userId)) throw missing();
  return row;
}

/** A key to change, with its owner if a manager changes it. */
export interface KeyForUpdate {
  row: Row;
  owner: Target | undefined;
}

/** The key to change, and its owner if a manager changes it. Throws 403 and 404. */
export async function findKeyForChange(
  tx: Transaction,
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
): Promise<KeyForUpdate> {
  const row = await findKey(tx, caller, apiKeyId, whose);
  if (whose === "own") return { row, owner: undefined };
  const owner = await findTarget(tx, caller, row.userId, "api-key.manage");
  assertMayChange(caller, owner);
  return { row, owner };
}

/** Runs a change of a key in a transaction that locks the tenant's row. It takes effect on every node within 1 s. */
export function withKeyForUpdate<Result>(
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
  work: (tx: Transaction, key: KeyForUpdate) => Promise<Result>,
): Promise<Result> {
  return withAccessChange(caller, async (tx) =>
    work(tx, await findKeyForChange(tx, caller, apiKeyId, whose)),
  );
}

interface Change {
  set: Partial<NewKeyRow>;
  action: string;
  changes?: AuditChanges;
}

/** Whether a change invalidates or suspends the current secret: its links are then deleted. */
const endsSecret = ({ secretHash, revokedAt, suspendedAt }: Partial<NewKeyRow>) =>
  Boolean(secretHash ?? revokedAt ?? suspendedAt);

/** Writes a change and its audit entry; returns the changed row. */
export async function writeKey(
  tx: Transaction,
  caller: Caller,
  row: Row,
  { set, action, changes = {} }: Change,
): Promise<Row> {
  const { apiKeyId, name } = row;
  await updateKeyRow(tx, row, set);
  if (endsSecret(set)) await withdrawHandOffsOfKeys(tx, row.tenantId, [apiKeyId]);
  await record(tx, actingAs(caller), {
    action,
    target: { type: "api-key", id: apiKeyId, name },
    changes,
  });
  return { ...row, ...set } as Row;
}

/** Revokes the user's expired key of this name, so that another key may have the name. False if there is none. */
export async function revokeExpiredNamesake(
  tx: Transaction,
  caller: Caller,
  { userId, nameKey }: { userId: string; nameKey: string },
): Promise<boolean> {
  const { tenantId } = caller;
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.userId, userId),
        eq(apiKeys.nameKey, nameKey),
        isNull(apiKeys.revokedAt),
        lte(apiKeys.validTo, new Date()),
      ),
    );
  if (!row) return false;
  await writeKey(tx, caller, row, { set: revoked(), action: "api-key.revoked" });
  return true;
}

/** The column values of a revoked key. */
export const revoked = () => ({
  revokedAt: new Date(),
  previousHash: null,
  previousValidTo: null,
});

export function statusOf(
  row: Pick<Row, "revokedAt" | "validTo" | "suspendedAt" | "awaitsRotation">,
): ApiKey["status"] {
  if (row.revokedAt) return "revoked";
  if (row.validTo.getTime() <= Date.now()) return "expired";
  return row.suspendedAt || row.awaitsRotation ? "suspended" : "active";
}

/** Throws 409 for a revoked or expired key. */
export function assertKeyUsable(row: Row): void {
  const status = statusOf(row);
  if (status === "revoked")
    throw new ApiError("api-key.revoked", `The key "${row.name}" is revoked. Create a new one.`);
  if (status === "expired")
    throw new ApiError(
      "api-key.expired",
      `The key "${row.name}" has expired. Create a new one.`,
      row.validTo.toISOString(),
    );
}

/** When, from where and for what the key was used last: this process may have a use that is not yet stored. */
function lastUse(row: Row): Pick<ApiKey, "lastUsedAt" | "lastUsedIp" | "lastUsedOperation"> {
  const noted = latestUse(row.apiKeyId);
  if (noted && noted.at >= (row.lastUsedAt?.getTime() ?? 0))
    return {
      lastUsedAt: new Date(noted.at).toISOString(),
      lastUsedIp: noted.address,
      lastUsedOperation: noted.operation,
    };
  return {
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedIp: row.lastUsedIp,
    lastUsedOperation: row.lastUsedOperation,
  };
}

/** The response representation of a key, which never contains the secret. */
export function toApiKey(row: Row): ApiKey {
  const { apiKeyId, name, hint, createdAt, validTo, previousHash, previousValidTo } = row;
  const overlaps =
    previousHash !== null && previousValidTo !== null && previousValidTo > new Date();
  return {
    apiKeyId,
    name,
    hint,
    status: statusOf(row),
    createdAt: createdAt.toISOString(),
    validTo: validTo.toISOString(),
    ...lastUse(row),
    previousValidTo: overlaps ? previousValidTo.toISOString() : null,
    rotationRequired: row.mustRotate || row.awaitsRotation,
    handedOver: row.awaitsRotation,
    permissions: row.permissions,
    sites: row.siteIds,
    ...shownSettings(row),
  };
}
