import { type PersonState, peopleOfTenants } from "@/lib/database/global";
import { readAccess } from "@/lib/database/open";
import {
  type CredentialKind,
  cacheCredential,
  findCachedCredential,
  learnVersion,
  type StoredCredential,
} from "./access-versions";
import { type CredentialRow, ownerColumns, toStoredCredential } from "./credential-store";

/** The lookup key of a credential: the SHA-256 of an API key or session id, the session's ref for a bearer. */
export interface CredentialLookup {
  kind: CredentialKind;
  lookup: Buffer | string;
}

interface BatchRow extends CredentialRow {
  secretHash: Buffer;
  previousHash: Buffer | null;
}

const keyColumns = `k.user_id, k.api_key_id, k.valid_to, k.revoked_at, k.suspended_at, k.awaits_rotation, k.last_used_at, k.secret_hash, k.previous_hash,
    k.previous_valid_to, k.permissions, k.site_ids, k.known_to, k.rate_limit, k.rate_window_seconds, k.allowed_addresses`;
const sessionColumns =
  "s.user_id, s.session_ref, s.expires_at, s.idle_seconds, s.last_seen_at, s.site_id, s.credential_epoch, s.secret_hash, coalesce(s.authenticated_at, s.created_at) as authenticated_at, s.authenticated_by";

/**
 * Keys and sessions of one tenant in one statement: $2 the hashes of keys, $3 those of sessions, $4 the refs of sessions. The
 * conditions are separate, so that each uses its own index before the owners are joined: with one "or" condition and no table
 * statistics yet, the store compares each key of the tenant with each hash.
 */
const batch = `with keys as materialized (
    select ${keyColumns} from api_keys k where k.tenant_id = $1 and k.secret_hash = any($2)
    union all select ${keyColumns} from api_keys k where k.tenant_id = $1 and k.previous_hash = any($2) and k.secret_hash <> all($2)),
  opened as materialized (
    select ${sessionColumns} from sessions s where s.tenant_id = $1 and s.secret_hash = any($3)
    union all select ${sessionColumns} from sessions s where s.tenant_id = $1 and s.session_ref = any($4) and s.secret_hash <> all($3))
  select c.api_key_id as "credentialId", c.valid_to as "expiresAt", c.revoked_at is not null as revoked, (c.suspended_at is not null or c.awaits_rotation) as suspended,
    null::integer as "idleSeconds", c.last_used_at as "lastSeenAt", null::text as "siteId", null::integer as "sessionEpoch", c.secret_hash as "secretHash", c.previous_hash as "previousHash",
    c.previous_valid_to as "previousValidTo", c.permissions, c.site_ids as "siteIds", c.known_to as "knownTo",
    c.rate_limit as "rateLimit", c.rate_window_seconds as "rateWindowSeconds", c.allowed_addresses as "allowedAddresses",
    null::timestamptz as "authenticatedAt", null::text as "authenticatedBy",
    ${ownerColumns} join keys c on c.user_id = u.user_id where t.tenant_id = $1
  union all select c.session_ref, c.expires_at, false, false, c.idle_seconds, c.last_seen_at, c.site_id, c.credential_epoch, c.secret_hash, null, null, null, null, null, null, null, null, c.authenticated_at, c.authenticated_by,
    ${ownerColumns} join opened c on c.user_id = u.user_id where t.tenant_id = $1`;

const personKey = (tenantId: string, userId: string) => `${tenantId} ${userId}`;

/** The home rows of members of other tenants, all in one statement. */
async function homesOf(tenantId: string, rows: readonly BatchRow[]) {
  const foreign = rows.filter((row) => row.homeTenantId !== tenantId);
  const homes = new Map<string, PersonState>();
  if (foreign.length === 0) return homes;
  const readAt = performance.now();
  const people = await peopleOfTenants(
    foreign.map((row) => row.homeTenantId),
    foreign.map((row) => row.userId),
  );
  for (const home of people) {
    homes.set(personKey(home.homeTenantId, home.userId), home);
    learnVersion(home.homeTenantId, home.version, readAt);
  }
  return homes;
}

const isFoundBy = (row: BatchRow, { kind, lookup }: CredentialLookup): boolean => {
  if (typeof lookup === "string") return row.credentialId === lookup;
  const isKey = row.sessionEpoch === null;
  if (isKey !== (kind === "apiKey")) return false;
  return lookup.equals(row.secretHash) || (row.previousHash?.equals(lookup) ?? false);
};

/** A key matches by its current or its previous secret, and the one that matched decides when it expires. */
function toCredential(
  tenantId: string,
  { kind, lookup }: CredentialLookup,
  row: BatchRow,
  homes: ReadonlyMap<string, PersonState>,
): StoredCredential | undefined {
  const home =
    row.homeTenantId === tenantId ? row : homes.get(personKey(row.homeTenantId, row.userId));
  if (!home) return undefined;
  const isPrevious = typeof lookup !== "string" && !lookup.equals(row.secretHash);
  return toStoredCredential(kind, tenantId, { ...row, isPrevious }, home);
}

async function load(tenantId: string, lookups: readonly CredentialLookup[]) {
  const readAt = performance.now();
  const of = (kind: CredentialKind) =>
    lookups.filter((one) => one.kind === kind).map(({ lookup }) => lookup);
  const rows = await readAccess<BatchRow>("credential-batch", batch, [
    tenantId,
    of("apiKey"),
    of("session"),
    of("bearer"),
  ]);
  const [first] = rows;
  if (first) learnVersion(tenantId, first.version, readAt);
  const homes = await homesOf(tenantId, rows);
  return lookups.map((wanted) => {
    const row = rows.find((one) => isFoundBy(one, wanted));
    return row && toCredential(tenantId, wanted, row, homes);
  });
}

/**
 * As `findCredential`, for several credentials of one tenant at once: those that are not cached are read by one
 * statement, and by a second one where their owners are people of other tenants.
 */
export async function findCredentials(
  tenantId: string,
  lookups: readonly CredentialLookup[],
): Promise<(StoredCredential | undefined)[]> {
  const now = performance.now();
  const found = lookups.map(({ kind, lookup }) =>
    findCachedCredential(kind, tenantId, lookup, now),
  );
  const missing = lookups.filter((_, index) => !found[index]);
  if (missing.length === 0) return found;
  const loaded = await load(tenantId, missing);
  for (const [index, { kind, lookup }] of missing.entries())
    cacheCredential(kind, tenantId, lookup, loaded[index]);
  return found.map((cached) => cached ?? loaded.shift());
}
