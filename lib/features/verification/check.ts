import type { StoredCredential } from "@/lib/access/access-versions";
import {
  assertAddressAllowed,
  assertCredentialUsable,
  assertNotRevoked,
} from "@/lib/access/authenticate";
import {
  effectivePermissions,
  hasAnyRole,
  type Principal,
  permissionScope,
  rolesAtSite,
} from "@/lib/access/caller";
import { lastNotedUse } from "@/lib/access/last-used";
import { durationText } from "@/lib/protocol/durations";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import type { Permission } from "@/lib/protocol/permissions";
import type { PresentedCredential, Verdict } from "./contract";
import { type Code, maxCacheSeconds } from "./values";

/** What the credential is wanted for. */
export type Purpose = Pick<PresentedCredential, "permission" | "site" | "address" | "uses">;

const codeOf: Partial<Record<ErrorCode, Code>> = {
  "auth.credentials-invalid": "REVOKED",
  "auth.credentials-expired": "EXPIRED",
  "auth.api-key-suspended": "SUSPENDED",
  "auth.address-not-allowed": "WRONG_ADDRESS",
  "user.deactivated": "LOCKED",
  "user.locked": "LOCKED",
};

/** The code for what a request with the credential would be rejected with, by the checks that such a request goes through. */
function rejectionOf(
  credential: StoredCredential,
  { address }: Purpose,
  now: number,
): Code | undefined {
  try {
    assertNotRevoked(credential);
    assertCredentialUsable(credential, now);
    assertAddressAllowed(credential.principal, address ?? "");
    return undefined;
  } catch (error) {
    const code = error instanceof ApiError ? codeOf[error.code] : undefined;
    if (code === undefined) throw error;
    return code;
  }
}

/** Whether a role is held at the site, in the whole tenant or there only, and the key is not restricted to others. */
function isAllowedAt({ roles, siteIds, keyRestrictions }: Principal, siteId: string): boolean {
  if (!siteIds.has(siteId) || keyRestrictions?.siteIds?.has(siteId) === false) return false;
  return roles.roleIds.length > 0 || (rolesAtSite(roles, siteId)?.length ?? 0) > 0;
}

/** Without a site only what holds in the whole tenant counts: the site that somebody signed in with is no question of the asker. */
function rightsProblem(principal: Principal, { permission, site }: Purpose): Code | undefined {
  if (principal.mustChangePassword || !hasAnyRole(principal)) return "INSUFFICIENT_PERMISSION";
  if (site !== undefined && !isAllowedAt(principal, site)) return "WRONG_SITE";
  if (permission === undefined) return undefined;
  return permissionScope({ ...principal, siteId: site }, permission)
    ? undefined
    : "INSUFFICIENT_PERMISSION";
}

/** Whether the credential works for the purpose, and if not why. */
export function checkCredential(credential: StoredCredential, purpose: Purpose, now: number): Code {
  return (
    rejectionOf(credential, purpose, now) ?? rightsProblem(credential.principal, purpose) ?? "VALID"
  );
}

/**
 * Seconds for which the answer holds unless the revocation feed says otherwise. The feed is of one tenant: what
 * happens to a person of another tenant at home is not in it, so nothing about such a person is cached. Neither is a key with
 * limits, each of whose uses is to be counted and checked for where it came from, unless the caller says that it does so itself.
 */
function cacheSeconds(
  { principal, lastSeenAt, rolesEndAt }: StoredCredential,
  { uses }: Purpose,
  now: number,
): number {
  const { tenantId, homeTenantId, idleSeconds, expiresAt, credentialId, keyLimits } = principal;
  if (tenantId !== homeTenantId || (keyLimits !== undefined && uses === undefined)) return 0;
  const idleEnd =
    idleSeconds === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(lastSeenAt, lastNotedUse(credentialId)) + idleSeconds * 1000;
  const left = Math.floor((Math.min(expiresAt.getTime(), idleEnd, rolesEndAt) - now) / 1000);
  return Math.max(0, Math.min(maxCacheSeconds, left));
}

/** What a credential allows in the whole tenant, or at a site. */
interface Rights {
  permissions: Permission[];
  /** The permissions as an introspection names them: one that holds only at the site names the site. */
  scopes: string[];
  sites: string[];
}

/** Cached as long as the credential itself: a credential that is verified often has the same rights each time. */
const knownRights = perProcess(
  "verified-rights",
  () => new WeakMap<Principal, Map<string, Rights>>(),
);

/** @example "order.manage" in the whole tenant, "order.manage@a-one" at a site only */
const scopeOf = (principal: Principal, siteId: string | undefined, permission: Permission) =>
  permissionScope({ ...principal, siteId }, permission) === "site"
    ? `${permission}@${siteId}`
    : permission;

function rightsAt(principal: Principal, siteId: string | undefined): Rights {
  const bySite = knownRights().get(principal) ?? new Map<string, Rights>();
  knownRights().set(principal, bySite);
  const known = bySite.get(siteId ?? "");
  if (known) return known;
  const permissions = effectivePermissions({ ...principal, siteId });
  const rights = {
    permissions,
    scopes: permissions.map((permission) => scopeOf(principal, siteId, permission)),
    sites: [...principal.siteIds].filter((id) => isAllowedAt(principal, id)).toSorted(),
  };
  bySite.set(siteId ?? "", rights);
  return rights;
}

/** A verdict, and what only an introspection says. */
export interface Described extends Verdict {
  scopes?: string[];
}

/** What the answer says of a credential that exists. Rights are shown only while it works. */
export function describeCredential(
  credential: StoredCredential,
  purpose: Purpose,
  code: Code,
  now: number,
): Described {
  const { site } = purpose;
  const { principal } = credential;
  const { kind, credentialId, userId, login, expiresAt, keyLimits } = principal;
  const { authenticatedAt, authenticatedBy } = principal;
  const { rate, addresses } = keyLimits ?? {};
  const who = { code, kind, credentialId, subject: userId, login };
  const found = { ...who, expiresAt: expiresAt.toISOString() };
  if (code !== "VALID") return { ...found, active: false, cacheFor: 0 };
  return {
    ...found,
    active: true,
    ...rightsAt(principal, site),
    ...(authenticatedAt && { authenticatedAt: authenticatedAt.toISOString() }),
    ...(authenticatedBy !== undefined && { authenticatedBy: authenticatedBy.split(" ") }),
    ...(rate && { rateLimit: { limit: rate.limit, window: durationText(rate.windowSeconds) } }),
    ...(addresses && { allowedAddresses: [...addresses.ranges] }),
    cacheFor: cacheSeconds(credential, purpose, now),
  };
}
