import { and, eq } from "drizzle-orm";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { latestUse } from "@/lib/access/last-used";
import type { Executor, Transaction } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { findTarget, type Target } from "@/lib/features/users/find-target";
import { assertMayChange } from "@/lib/features/users/user-policy";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import { isStorableText } from "@/lib/protocol/formats";
import type { ApiKey } from "./contract";

export type Row = typeof apiKeys.$inferSelect;

/** By whose right a key is touched: its owner's, or that of a manager of all the tenant's keys. */
export type Whose = "own" | "managed";

const missing = () => new ApiError("api-key.not-found", "There is no such API key.");

/** The key, or 404: the owner sees only the own ones. */
export async function findKey(
  tx: Executor,
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
): Promise<Row> {
  if (!isStorableText(apiKeyId)) throw missing();
  const owner = whose === "own" ? eq(apiKeys.userId, caller.userId) : undefined;
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, caller.tenantId), eq(apiKeys.apiKeyId, apiKeyId), owner));
  if (!row) throw missing();
  return row;
}

/** A key about to change, with its owner where a manager does it. */
export interface KeyForUpdate {
  row: Row;
  owner: Target | undefined;
}

/** Runs a change of a key in a transaction that holds the tenant's row; it bites everywhere within a second. */
export function withKeyForUpdate<Result>(
  caller: Caller,
  apiKeyId: string,
  whose: Whose,
  work: (tx: Transaction, touched: KeyForUpdate) => Promise<Result>,
): Promise<Result> {
  return withAccessChange(caller, async (tx) => {
    const row = await findKey(tx, caller, apiKeyId, whose);
    const owner =
      whose === "managed" ? await findTarget(tx, caller, row.userId, "api-key.manage") : undefined;
    if (owner) assertMayChange(caller, owner);
    return work(tx, { row, owner });
  });
}

interface Change {
  set: Partial<typeof apiKeys.$inferInsert>;
  action: string;
  changes?: AuditChanges;
}

/** Writes a change and its audit entry; answers the row as it is then. */
export async function writeKey(
  tx: Transaction,
  caller: Caller,
  row: Row,
  { set, action, changes = {} }: Change,
): Promise<Row> {
  const { tenantId, apiKeyId, name } = row;
  await tx
    .update(apiKeys)
    .set(set)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.apiKeyId, apiKeyId)));
  await record(tx, actingAs(caller), {
    action,
    target: { type: "api-key", id: apiKeyId, name },
    changes,
  });
  return { ...row, ...set } as Row;
}

export function statusOf(
  row: Pick<Row, "revokedAt" | "validTo" | "suspendedAt" | "awaitsRotation">,
): ApiKey["status"] {
  if (row.revokedAt) return "revoked";
  if (row.validTo.getTime() <= Date.now()) return "expired";
  return row.suspendedAt || row.awaitsRotation ? "suspended" : "active";
}

/** Throws 409 for a key that never works again. */
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

/** When, from where and for what the key was used last: this process may know of it before the store does. */
function lastUse(row: Row): Pick<ApiKey, "lastUsedAt" | "lastUsedIp" | "lastUsedOperation"> {
  const noted = latestUse(row.apiKeyId);
  if (noted && noted.at > (row.lastUsedAt?.getTime() ?? 0))
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

/** A key as everybody may see it who may see it at all: never the secret. */
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
  };
}
