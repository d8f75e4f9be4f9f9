import { LRUCache } from "lru-cache";
import { perProcess } from "@/lib/protocol/per-process";
import { isCurrent } from "./access-versions";
import type { Principal } from "./caller";
import type { StoredCredential } from "./credential-store";

export type CredentialKind = Principal["kind"];

const cache = perProcess(
  "credentials",
  () => new LRUCache<string, StoredCredential>({ max: 10_000 }),
);

const lookups = perProcess("credential-lookups", () => ({ hits: 0, misses: 0 }));

/** For measurements: what is cached, and how many lookups found what they may use. */
export const credentialCacheState = (): { entries: number; hits: number; misses: number } => ({
  entries: cache().size,
  ...lookups(),
});

const cacheKey = (kind: CredentialKind, tenantId: string, lookup: Buffer | string) =>
  `${kind} ${tenantId} ${typeof lookup === "string" ? lookup : lookup.toString("latin1")}`;

/** Whether this process has looked the credential up before and it was there, however long ago. */
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
    isCurrent(tenantId, cached.version, now) &&
    isCurrent(cached.principal.homeTenantId, cached.homeVersion, now);
  if (isFresh) lookups().hits += 1;
  else lookups().misses += 1;
  return isFresh ? cached : undefined;
}

/** Caches what the store had under this hash or ref; undefined removes it. The secret itself is kept nowhere. */
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
