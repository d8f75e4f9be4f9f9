import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { isSpent } from "@/lib/database/failures";
import { accessVersions } from "@/lib/database/global";
import { type HeldTransactions, transactionFor } from "@/lib/database/held-transactions";
import type { Transaction } from "@/lib/database/open";
import { setActiveTenants } from "@/lib/database/tenant-scans";
import { perProcess } from "@/lib/protocol/per-process";
import type { Principal } from "./caller";
import type { Lock } from "./locks";

const pollMilliseconds = 500;
const trustMilliseconds = 1000;
const idleMilliseconds = 60_000;
/** Maximum number of tenants that are read one by one; the others' credentials are read again for each request. */
const maxSingleReads = 1000;
/** A version that no row has, so that everything cached before this process's own change is read again. */
const forgotten = -1;

interface TrackedVersion {
  version: number;
  /** When (performance.now) the statement that read it started: it includes everything committed before that. */
  readAt: number;
  usedAt: number;
}

/** `access`: what management credentials may do. `endings`: customers' tokens that were revoked before they expire. */
type Counter = "access" | "endings";

interface State {
  known: Record<Counter, Map<string, TrackedVersion>>;
  timer: NodeJS.Timeout | undefined;
}

const state = perProcess<State>("access-versions", () => ({
  known: { access: new Map(), endings: new Map() },
  timer: undefined,
}));

/**
 * One statement for all. If the store rejects it, the tenants are read one by one, so that those on an unreachable node of a
 * cluster do not slow the others. A version that cannot be read expires after a second, and with it everything cached under it.
 */
async function versionsOf(tenantIds: string[]): ReturnType<typeof accessVersions> {
  if (tenantIds.length === 0) return [];
  try {
    return await accessVersions(tenantIds);
  } catch (error) {
    if (tenantIds.length === 1 || isSpent(error)) return [];
    const each = tenantIds.slice(0, maxSingleReads).map((tenantId) => versionsOf([tenantId]));
    return (await Promise.all(each)).flat();
  }
}

async function poll(): Promise<void> {
  const { access, endings } = state().known;
  const startedAt = performance.now();
  for (const known of [access, endings])
    for (const [tenantId, entry] of known)
      if (startedAt - entry.usedAt > idleMilliseconds) known.delete(tenantId);
  const tenantIds = [...new Set([...access.keys(), ...endings.keys()])];
  for (const row of await versionsOf(tenantIds)) {
    refresh(access.get(row.tenantId), row.version, startedAt);
    refresh(endings.get(row.tenantId), row.endings, startedAt);
  }
  state().timer =
    access.size + endings.size > 0 ? setTimeout(poll, pollMilliseconds).unref() : undefined;
}

function refresh(entry: TrackedVersion | undefined, version: number, readAt: number): void {
  if (entry && entry.readAt < readAt) Object.assign(entry, { version, readAt });
}

/** Remembers the version a credential was read with, and keeps the tenant's version fresh from now on. */
export function learnVersion(
  tenantId: string,
  version: number,
  readAt: number,
  counter: Counter = "access",
): void {
  const known = state().known[counter];
  const entry = known.get(tenantId);
  if (!entry || entry.readAt < readAt) known.set(tenantId, { version, readAt, usedAt: readAt });
  setActiveTenants(() => state().known.access.keys());
  state().timer ??= setTimeout(poll, pollMilliseconds).unref();
}

/** Whether data read at this version is still valid: the tenant's version was read less than a second ago and is the same. */
export function isCurrent(
  tenantId: string,
  version: number,
  now: number,
  counter: Counter = "access",
): boolean {
  const entry = state().known[counter].get(tenantId);
  if (!entry || entry.version !== version || now - entry.readAt >= trustMilliseconds) return false;
  entry.usedAt = now;
  return true;
}

/**
 * Takes the tenant's row. Every recorded write takes it before any other row of the tenant, so that no two of them
 * wait for each other: otherwise a flood on one user's row would keep an administrator from locking that user.
 */
export async function lockTenant(tx: Transaction, tenantId: string): Promise<void> {
  await tx.execute(sql`update tenants set audit_seq = audit_seq where tenant_id = ${tenantId}`);
}

/** Invalidates the cached access on every node, in the transaction that changes somebody's rights. Follow it with `forgetAccess`. */
export async function raiseAccessVersion(tx: Transaction, tenantId: string): Promise<void> {
  await tx.execute(
    sql`update tenants set access_version = access_version + 1 where tenant_id = ${tenantId}`,
  );
}

/** Drops what this process cached of the tenant, so that its own change takes effect at once. */
export function forgetAccess(tenantId: string, counter: Counter = "access"): void {
  const now = performance.now();
  state().known[counter].set(tenantId, { version: forgotten, readAt: now, usedAt: now });
}

/** The tenant, or a caller in it whose request may have to be held. */
export type In = string | { tenantId: string; held?: HeldTransactions | undefined };

export const inTenant = (where: In) =>
  typeof where === "string" ? { tenantId: where, held: undefined } : where;

/** Runs a transaction that changes somebody's rights: every node drops the tenant's cached credentials, this one at once. */
export async function withAccessChange<T>(
  where: In,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { tenantId, held } = inTenant(where);
  held?.afterwards(() => forgetAccess(tenantId));
  try {
    return await transactionFor({ held }, async (tx) => {
      await raiseAccessVersion(tx, tenantId);
      return work(tx);
    });
  } finally {
    forgetAccess(tenantId);
  }
}

/** A credential as the store holds it, with all that decides whether it may be used. */
export interface StoredCredential {
  principal: Principal;
  revoked: boolean;
  suspended: boolean;
  lastSeenAt: number;
  /** Set for the secret before a rotation: the time from which it is rejected as unknown. */
  retiresAt: number | undefined;
  /** When the first of the owner's roles expires (Date.now): from then on the roles are read again. */
  rolesEndAt: number;
  /** The owner's locks in the credential's tenant and in the home tenant. */
  locks: readonly Lock[];
  deactivated: boolean;
  version: number;
  homeVersion: number;
}

export type CredentialKind = Principal["kind"];

const cache = perProcess(
  "credentials",
  () => new LRUCache<string, StoredCredential>({ max: 10_000 }),
);

const lookups = perProcess("credential-lookups", () => ({ hits: 0, misses: 0 }));

/** For measurements: how many credentials are cached, and how many lookups the cache answered. */
export const credentialCacheState = (): { entries: number; hits: number; misses: number } => ({
  entries: cache().size,
  ...lookups(),
});

const cacheKey = (kind: CredentialKind, tenantId: string, lookup: Buffer | string) =>
  `${kind} ${tenantId} ${typeof lookup === "string" ? lookup : lookup.toString("latin1")}`;

/** Whether this process has ever looked the credential up and found it, however long ago. */
export function isCredentialCached(kind: CredentialKind, tenantId: string, hash: Buffer): boolean {
  const cached = cache().peek(cacheKey(kind, tenantId, hash));
  return cached !== undefined && !cached.revoked;
}

/** The cached credential, where the versions of its tenant and of its owner's home tenant were read within the last second. */
export function findCachedCredential(
  kind: CredentialKind,
  tenantId: string,
  lookup: Buffer | string,
  now: number,
): StoredCredential | undefined {
  const cached = cache().get(cacheKey(kind, tenantId, lookup));
  const isFresh =
    cached &&
    Date.now() < cached.rolesEndAt &&
    isCurrent(tenantId, cached.version, now) &&
    isCurrent(cached.principal.homeTenantId, cached.homeVersion, now);
  if (isFresh) lookups().hits += 1;
  else lookups().misses += 1;
  return isFresh ? cached : undefined;
}

/** Caches what the store had under this hash or ref; undefined removes it. The secret itself is never stored. */
export function cacheCredential(
  kind: CredentialKind,
  tenantId: string,
  lookup: Buffer | string,
  fresh: StoredCredential | undefined,
): void {
  const key = cacheKey(kind, tenantId, lookup);
  if (fresh) cache().set(key, fresh);
  else cache().delete(key);
}
