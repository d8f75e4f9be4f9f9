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

/** The purpose for which the credential is checked. */
export type Purpose = Pick<PresentedCredential, "permission" | "site" | "address" | "uses">;

const codeOf: Partial<Record<ErrorCode, Code>> = {
  "auth.credentials-invalid": "REVOKED",
  "auth.credentials-expired": "EXPIRED",
  "auth.api-key-suspended": "SUSPENDED",
  "auth.address-not-allowed": "WRONG_ADDRESS",
  "user.deactivated": "LOCKED",
  "user.locked": "LOCKED",
};

/** The code of the error with which a request with the credential would be rejected, by the same checks. */
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

/** Whether the principal has a role that applies at the site, and the key is not restricted to others. */
function isAllowedAt({ roles, siteIds, keyRestrictions }: Principal, siteId: string): boolean {
  if (!siteIds.has(siteId) || keyRestrictions?.siteIds?.has(siteId) === false) return false;
  return roles.roleIds.length > 0 || (rolesAtSite(roles, siteId)?.length ?? 0) > 0;
}

/** Without a site only tenant-wide permissions count: the site of the user's sign-in is irrelevant to the caller. */
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
 * Seconds for which the answer may be cached unless the revocation feed invalidates it. The feed covers one tenant: changes in a
 * guest's home tenant are not in it, so answers about guests are not cached. Neither are those about a key with limits, whose
 * uses must each be counted and checked for their IP address, unless the caller does so itself.
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

/** The permissions of a credential in the whole tenant, or at a site. */
interface Rights {
  permissions: Permission[];
  /** The permissions in the form of an introspection: one that applies only at the site includes the site. */
  scopes: string[];
  sites: string[];
}

/** Cached as long as the credential itself: repeated verifications have the same result. */
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

/** A verdict, with the fields that only an introspection returns. */
export interface Described extends Verdict {
  scopes?: string[];
}

/** The answer about a credential that exists. Permissions are included only while it is valid. */
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
