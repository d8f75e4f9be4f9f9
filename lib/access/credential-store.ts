import { LRUCache } from "lru-cache";
import { readAccess } from "@/lib/database/open";
import { perProcess } from "@/lib/protocol/per-process";
import { expand, type Permission } from "@/lib/protocol/permissions";
import {
  type CredentialKind,
  cacheCredential,
  findCachedCredential,
  learnVersion,
  type StoredCredential,
} from "./access-versions";
import { toAddressSet } from "./address-ranges";
import { type KeyLimits, type KeyRestrictions, rolesAtSite, type TenantRoles } from "./caller";

/** The columns of a person's own row that decide whether a credential works. */
interface HomeRow {
  state: string;
  isLocked: boolean;
  lockedUntil: Date | null;
  mustChangePassword: boolean;
  credentialEpoch: number;
  version: number;
}

interface OwnerRow extends HomeRow {
  userId: string;
  homeTenantId: string;
  login: string;
  name: string;
  isSystem: boolean;
  ownerKind: "person" | "service";
  grants: string;
  sites: string | null;
}

export interface CredentialRow extends OwnerRow {
  credentialId: string;
  expiresAt: Date;
  revoked: boolean;
  suspended: boolean;
  idleSeconds: number | null;
  lastSeenAt: Date | null;
  siteId: string | null;
  /** The credential epoch that a session was opened under. */
  sessionEpoch?: number | null;
  authenticatedAt?: Date | null;
  authenticatedBy?: string | null;
  isPrevious?: boolean | null;
  previousValidTo?: Date | null;
  permissions?: Permission[] | null;
  siteIds?: string[] | null;
  knownTo?: string[] | null;
  rateLimit?: number | null;
  rateWindowSeconds?: number | null;
  allowedAddresses?: string[] | null;
}

export const ownerColumns = `u.user_id as "userId", u.home_tenant_id as "homeTenantId", u.login, u.name, u.is_system as "isSystem", u.kind as "ownerKind", u.state,
  u.is_locked as "isLocked", u.locked_until as "lockedUntil", u.must_change_password as "mustChangePassword",
  u.credential_epoch as "credentialEpoch", u.grants,
  (select string_agg(s.site_id, ',') from sites s where s.tenant_id = $1) as sites,
  t.access_version::float8 as version
  from tenants t join users u on u.tenant_id = $1`;

const session = `select c.session_ref as "credentialId", c.expires_at as "expiresAt", false as revoked, false as suspended, c.idle_seconds as "idleSeconds",
  c.last_seen_at as "lastSeenAt", c.site_id as "siteId", c.credential_epoch as "sessionEpoch",
  coalesce(c.authenticated_at, c.created_at) as "authenticatedAt", c.authenticated_by as "authenticatedBy", ${ownerColumns} join sessions c on c.tenant_id = $1 and c.user_id = u.user_id where t.tenant_id = $1`;

const statements = {
  apiKey: `select c.api_key_id as "credentialId", c.valid_to as "expiresAt", c.revoked_at is not null as revoked, (c.suspended_at is not null or c.awaits_rotation) as suspended,
    null as "idleSeconds", c.last_used_at as "lastSeenAt", null as "siteId", c.previous_hash = $2 as "isPrevious", c.previous_valid_to as "previousValidTo", c.permissions, c.site_ids as "siteIds", c.known_to as "knownTo",
    c.rate_limit as "rateLimit", c.rate_window_seconds as "rateWindowSeconds", c.allowed_addresses as "allowedAddresses",
    ${ownerColumns} join api_keys c on c.tenant_id = $1 and c.user_id = u.user_id where t.tenant_id = $1 and (c.secret_hash = $2 or c.previous_hash = $2)`,
  session: `${session} and c.secret_hash = $2`,
  bearer: `${session} and c.session_ref = $2`,
};

/** Lookups by id, to describe a credential or user: they never authenticate anybody. */
const known = {
  knownKey: `select c.api_key_id as "credentialId", c.valid_to as "expiresAt", c.revoked_at is not null as revoked, (c.suspended_at is not null or c.awaits_rotation) as suspended,
    null as "idleSeconds", null as "lastSeenAt", null as "siteId", c.permissions, c.site_ids as "siteIds", c.known_to as "knownTo",
    ${ownerColumns} join api_keys c on c.tenant_id = $1 and c.user_id = u.user_id where t.tenant_id = $1 and c.api_key_id = $2`,
  knownUser: `select '' as "credentialId", timestamptz '9999-12-31T00:00:00Z' as "expiresAt", false as revoked, false as suspended,
    null as "idleSeconds", null as "lastSeenAt", null as "siteId", ${ownerColumns} where t.tenant_id = $1 and u.user_id = $2`,
};

const person = `select u.state, u.is_locked as "isLocked", u.locked_until as "lockedUntil", u.must_change_password as "mustChangePassword",
  u.credential_epoch as "credentialEpoch", t.access_version::float8 as version
  from tenants t join users u on u.tenant_id = $1 where t.tenant_id = $1 and u.user_id = $2`;

interface ReadGrants {
  roles: TenantRoles;
  /** When the first of these roles expires, in milliseconds since the epoch. */
  nextEnd: number;
}

/** Most users of a tenant have one of a few sets of roles. */
const readTexts = perProcess("read-grants", () => new LRUCache<string, ReadGrants>({ max: 1000 }));

/** Parses a user's flat `site role,site role@end` for the current time; "" is the whole tenant. The result is shared: never change it. */
function readGrants(grants: string): ReadGrants {
  const now = Date.now();
  const known = readTexts().get(grants);
  if (known && now < known.nextEnd) return known;
  const roles: TenantRoles = { roleIds: [], sites: {} };
  let nextEnd = Number.POSITIVE_INFINITY;
  for (const grant of grants ? grants.split(",") : []) {
    const [siteId = "", roleId = "", end] = grant.split(/[ @]/);
    const endsAt = end === undefined ? Number.POSITIVE_INFINITY : Number(end);
    if (endsAt <= now) continue;
    nextEnd = Math.min(nextEnd, endsAt);
    if (siteId === "") roles.roleIds.push(roleId);
    else {
      const there = rolesAtSite(roles, siteId);
      if (there) there.push(roleId);
      else roles.sites[siteId] = { roleIds: [roleId] };
    }
  }
  const read = { roles, nextEnd };
  readTexts().set(grants, read);
  return read;
}

/** The current roles of a user, from their text. Shared: never change it. */
export const parseGrants = (grants: string): TenantRoles => readGrants(grants).roles;

function keyRestrictionsOf({ permissions, siteIds }: CredentialRow): KeyRestrictions | undefined {
  if (!permissions && !siteIds) return undefined;
  return {
    ...(permissions && { permissions: expand(permissions) }),
    ...(siteIds && { siteIds: new Set(siteIds) }),
  };
}

function keyLimitsOf(row: CredentialRow): KeyLimits | undefined {
  const { rateLimit: limit, rateWindowSeconds: windowSeconds, allowedAddresses: ranges } = row;
  if (!limit && !ranges) return undefined;
  return {
    ...(limit && windowSeconds && { rate: { limit, windowSeconds } }),
    ...(ranges && { addresses: { ranges, set: toAddressSet(ranges) } }),
  };
}

/** Everything that decides whether a credential works, from its row and its owner's row in the home tenant. */
export function toStoredCredential(
  kind: CredentialKind,
  tenantId: string,
  row: CredentialRow,
  home: HomeRow,
) {
  const retiresAt = row.isPrevious ? (row.previousValidTo ?? new Date(0)) : undefined;
  const { roles, nextEnd } = readGrants(row.grants);
  return {
    principal: {
      tenantId,
      userId: row.userId,
      homeTenantId: row.homeTenantId,
      login: row.login,
      name: row.name,
      isSystem: row.isSystem,
      roles,
      siteIds: new Set(row.sites ? row.sites.split(",") : []),
      kind,
      isServiceUser: row.ownerKind === "service",
      credentialId: row.credentialId,
      defaultSiteId: row.siteId || undefined,
      expiresAt: retiresAt && retiresAt < row.expiresAt ? retiresAt : row.expiresAt,
      mustChangePassword: kind !== "apiKey" && home.mustChangePassword,
      idleSeconds: row.idleSeconds ?? undefined,
      keyRestrictions: keyRestrictionsOf(row),
      credentialEpoch: row.sessionEpoch ?? home.credentialEpoch,
      authenticatedAt: row.authenticatedAt ?? undefined,
      authenticatedBy: kind === "apiKey" ? undefined : (row.authenticatedBy ?? "password"),
      keyLimits: keyLimitsOf(row),
      knownTo: row.knownTo ?? undefined,
    },
    revoked: row.revoked || (row.sessionEpoch ?? home.credentialEpoch) < home.credentialEpoch,
    suspended: row.suspended,
    lastSeenAt: row.lastSeenAt?.getTime() ?? 0,
    retiresAt: retiresAt?.getTime(),
    rolesEndAt: nextEnd,
    locks: [row, home].map(({ isLocked, lockedUntil }) => ({ isLocked, lockedUntil })),
    deactivated: row.state === "deactivated" || home.state === "deactivated",
    version: row.version,
    homeVersion: home.version,
  } satisfies StoredCredential;
}

type Statement = CredentialKind | keyof typeof known;
const kindOf = (statement: Statement): CredentialKind =>
  statement === "knownKey" ? "apiKey" : statement === "knownUser" ? "session" : statement;

async function load(
  statement: Statement,
  tenantId: string,
  lookup: Buffer | string,
): Promise<StoredCredential | undefined> {
  const readAt = performance.now();
  const kind = kindOf(statement);
  const [row] = await readAccess<CredentialRow>(
    `credential-${statement}`,
    { ...statements, ...known }[statement],
    [tenantId, lookup],
  );
  if (!row) return undefined;
  learnVersion(tenantId, row.version, readAt);
  if (row.homeTenantId === tenantId) return toStoredCredential(kind, tenantId, row, row);
  const [home] = await readAccess<HomeRow>("credential-person", person, [
    row.homeTenantId,
    row.userId,
  ]);
  if (!home) return undefined;
  learnVersion(row.homeTenantId, home.version, readAt);
  return toStoredCredential(kind, tenantId, row, home);
}

/**
 * The credential with this hash (or session ref, for a bearer) in this tenant, at most a second old.
 * Cached by hash: the secret itself is never stored.
 */
export async function findCredential(
  kind: CredentialKind,
  tenantId: string,
  lookup: Buffer | string,
  now: number,
): Promise<StoredCredential | undefined> {
  const cached = findCachedCredential(kind, tenantId, lookup, now);
  if (cached) return cached;
  const fresh = await load(kind, tenantId, lookup);
  cacheCredential(kind, tenantId, lookup, fresh);
  return fresh;
}

/** Describes a key by its id, or a user as if just signed in: not cached, and never used to authenticate. */
export async function describeCredential(
  tenantId: string,
  subject: { apiKeyId: string } | { userId: string },
) {
  const [statement, id] =
    "apiKeyId" in subject
      ? (["knownKey", subject.apiKeyId] as const)
      : (["knownUser", subject.userId] as const);
  return load(statement, tenantId, id);
}
