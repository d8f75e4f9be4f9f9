import { and, desc, eq, gt, isNotNull, isNull, lte, not, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import { isLockedAt } from "@/lib/access/locks";
import { readerFor } from "@/lib/database/held-transactions";
import { db } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { weekOfKeys } from "@/lib/features/metrics/usage-summary";
import { findTarget } from "@/lib/features/users/find-target";
import {
  isLockedCondition,
  type OwnerColumns,
  ownerColumns,
  usersOf,
} from "@/lib/features/users/rows";
import { cutPage, type Page } from "@/lib/protocol/parameters";
import type { ListManagedKeysQuery, ManagedKey, ManagedKeyDetails } from "./managing-contract";
import { findKey, type Row, toApiKey } from "./rows";
import { keyCursor, olderThan, previousUses } from "./service";

type Query = z.output<typeof ListManagedKeysQuery>;

function statusCondition(status: Query["status"], now: Date) {
  const living = and(isNull(apiKeys.revokedAt), gt(apiKeys.validTo, now));
  switch (status) {
    case "revoked":
      return isNotNull(apiKeys.revokedAt);
    case "expired":
      return and(isNull(apiKeys.revokedAt), lte(apiKeys.validTo, now));
    case "suspended":
      return and(living, or(isNotNull(apiKeys.suspendedAt), apiKeys.awaitsRotation));
    case "active":
      return and(living, isNull(apiKeys.suspendedAt), not(apiKeys.awaitsRotation));
    default:
      return undefined;
  }
}

function conditions({
  owner,
  status,
  expiresWithin,
  unusedFor,
  neverUsed,
  ownerLock,
  cursor,
}: Query) {
  const now = new Date();
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const idleSince = unusedFor === undefined ? undefined : inSeconds(-unusedFor).toISOString();
  return and(
    owner === undefined ? undefined : eq(apiKeys.userId, owner),
    statusCondition(status, now),
    expiresWithin === undefined
      ? undefined
      : and(
          isNull(apiKeys.revokedAt),
          gt(apiKeys.validTo, now),
          lte(apiKeys.validTo, inSeconds(expiresWithin)),
        ),
    idleSince === undefined
      ? undefined
      : sql`coalesce(${apiKeys.lastUsedAt}, ${apiKeys.createdAt}) < ${idleSince}::timestamptz`,
    neverUsed === undefined
      ? undefined
      : neverUsed
        ? isNull(apiKeys.lastUsedAt)
        : isNotNull(apiKeys.lastUsedAt),
    ownerLock === undefined ? undefined : isLockedCondition(now, ownerLock),
    olderThan(cursor),
  );
}

const toKeyOwner = (owner: OwnerColumns): ManagedKey["owner"] => ({
  id: owner.userId,
  login: owner.login,
  name: owner.name,
  kind: owner.kind,
  state: owner.state,
  lock: isLockedAt(owner, new Date()),
});

async function withCalls(caller: Caller, keys: ManagedKey[]): Promise<ManagedKey[]> {
  const weeks = await weekOfKeys(caller, keys);
  return keys.map((key) => ({
    ...key,
    callsByDay: weeks[key.apiKeyId] ?? Array<number>(7).fill(0),
  }));
}

/** Every key of the tenant with its owner, newest first; never a secret. */
export async function listManagedKeys(caller: Caller, query: Query): Promise<Page<ManagedKey>> {
  const { tenantId } = caller;
  const rows = await db()
    .select({ key: apiKeys, owner: ownerColumns })
    .from(apiKeys)
    .innerJoin(...usersOf(tenantId, apiKeys.userId))
    .where(and(eq(apiKeys.tenantId, tenantId), conditions(query)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.apiKeyId))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, ({ key }) => keyCursor(key));
  const items = page.items.map(({ key, owner }) => ({
    ...toApiKey(key),
    owner: toKeyOwner(owner),
  }));
  return {
    items: query.fields === undefined ? items : await withCalls(caller, items),
    next: page.next,
  };
}

/** Other people's keys that were reported as leaked and wait for a new secret; empty for a caller who may not manage keys. */
export async function listLeakedKeys(caller: Caller): Promise<ManagedKey[]> {
  if (permissionScope(caller, "api-key.manage") !== "tenant") return [];
  const { items } = await listManagedKeys(caller, { status: "suspended", limit: 200 });
  return items.filter(
    ({ rotationRequired, handedOver, owner }) =>
      rotationRequired && !handedOver && owner.id !== caller.userId,
  );
}

/** A key as its manager sees it. */
export async function withOwner(caller: Caller, row: Row): Promise<ManagedKey> {
  const owner = await findTarget(readerFor(caller), caller, row.userId, "api-key.manage");
  return { ...toApiKey(row), owner: toKeyOwner(owner) };
}

export async function getManagedKey(
  caller: Caller,
  apiKeyId: string,
): Promise<z.output<typeof ManagedKeyDetails>> {
  const row = await findKey(db(), caller, apiKeyId, "managed");
  return { ...(await withOwner(caller, row)), previousUses: await previousUses(row) };
}
