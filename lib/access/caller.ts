import type { BlockList } from "node:net";
import type { HeldTransactions } from "@/lib/database/held-transactions";
import { ApiError } from "@/lib/protocol/errors";
import { type Permission, permissions } from "@/lib/protocol/permissions";
import type { KeyRateLimit } from "./key-rates";
import { permissionsOf, rolesWith } from "./roles";

/** Roles of one user in one tenant, in the shape of the founding document. */
export interface TenantRoles {
  roleIds: string[];
  sites: Record<string, { roleIds: string[] }>;
}

/** The part of its owner's rights that an API key has. An absent field limits nothing. */
export interface KeyRestrictions {
  permissions?: ReadonlySet<Permission>;
  siteIds?: ReadonlySet<string>;
}

/** How often and from where an API key may be used. */
export interface KeyLimits {
  rate?: KeyRateLimit;
  addresses?: { ranges: readonly string[]; set: BlockList };
}

/** The caller: a credential of one tenant, with its owner's current rights. */
export interface Principal {
  tenantId: string;
  userId: string;
  /** The tenant of the person's own row; equal to tenantId for most. */
  homeTenantId: string;
  login: string;
  name: string;
  isSystem: boolean;
  roles: TenantRoles;
  /** The tenant's sites. */
  siteIds: ReadonlySet<string>;
  kind: "session" | "apiKey" | "bearer";
  /** Whether this is a program's user, which has no password. */
  isServiceUser: boolean;
  /** `sess_...` or `key_...`. */
  credentialId: string;
  /** The site a session was opened with. */
  defaultSiteId: string | undefined;
  expiresAt: Date;
  mustChangePassword: boolean;
  /** Seconds without use after which a session expires; undefined for keys. */
  idleSeconds: number | undefined;
  keyRestrictions?: KeyRestrictions | undefined;
  /** The epoch of the session, or of the person now: sessions and links with a lower one have ended. */
  credentialEpoch?: number | undefined;
  /** For a session: when the password or a second factor was last checked. */
  authenticatedAt?: Date | undefined;
  /** For a session: the methods of that check, as names separated by spaces. */
  authenticatedBy?: string | undefined;
  keyLimits?: KeyLimits | undefined;
  /** For a service user's API key: the ids of the people who know its secret. They act through it. */
  knownTo?: readonly string[] | undefined;
}

/** The people behind a request: the caller, or for a service user's API key those who know its secret. */
export function peopleBehind({ userId, knownTo }: Pick<Principal, "userId" | "knownTo">): string[] {
  return [...(knownTo ?? []), userId];
}

/** The roles at one site; undefined if there are none. A site may be called "constructor", so only own properties count. */
export function rolesAtSite(
  { sites }: Pick<TenantRoles, "sites">,
  siteId: string,
): string[] | undefined {
  return Object.hasOwn(sites, siteId) ? sites[siteId]?.roleIds : undefined;
}

type RightsHolder = Pick<Caller, "roles" | "siteId" | "keyRestrictions">;

/** The origin of a request, as recorded in the audit trail. */
export interface Origin {
  requestId: string;
  address: string;
  agent: string;
}

export interface Caller extends Principal, Origin {
  /** For a request with an idempotency key: the transactions held open until its response is stored. */
  held?: HeldTransactions | undefined;
  /** From X-Service-Site, else the session's own. */
  siteId: string | undefined;
}

type EveryMember<Shape> = { [Name in keyof Required<Shape>]: Shape[Name] };

/** Copies each property by name, which the type enforces: two spreads cost 6 microseconds per request. */
export function callerOf(
  principal: Principal,
  { requestId, address, agent }: Origin,
  siteId: string | undefined,
): Caller {
  const caller: EveryMember<Omit<Caller, "held">> = {
    tenantId: principal.tenantId,
    userId: principal.userId,
    homeTenantId: principal.homeTenantId,
    login: principal.login,
    name: principal.name,
    isSystem: principal.isSystem,
    roles: principal.roles,
    siteIds: principal.siteIds,
    kind: principal.kind,
    isServiceUser: principal.isServiceUser,
    credentialId: principal.credentialId,
    defaultSiteId: principal.defaultSiteId,
    expiresAt: principal.expiresAt,
    mustChangePassword: principal.mustChangePassword,
    idleSeconds: principal.idleSeconds,
    keyRestrictions: principal.keyRestrictions,
    credentialEpoch: principal.credentialEpoch,
    authenticatedAt: principal.authenticatedAt,
    authenticatedBy: principal.authenticatedBy,
    keyLimits: principal.keyLimits,
    knownTo: principal.knownTo,
    requestId,
    address,
    agent,
    siteId,
  };
  return caller;
}

/** Whether the caller has the permission, and its scope: the whole tenant, or only the site of the request. */
export function permissionScope(
  { roles, siteId, keyRestrictions }: RightsHolder,
  permission: Permission,
): "tenant" | "site" | undefined {
  if (keyRestrictions?.permissions?.has(permission) === false) return undefined;
  const isRestricted = keyRestrictions?.siteIds !== undefined;
  const inTenant = roles.roleIds.some((id) => permissionsOf(id).has(permission));
  if (inTenant && !isRestricted) return "tenant";
  if (siteId === undefined || keyRestrictions?.siteIds?.has(siteId) === false) return undefined;
  const atSite =
    inTenant || rolesAtSite(roles, siteId)?.some((id) => permissionsOf(id).has(permission));
  return atSite ? "site" : undefined;
}

/** The site that the caller's permission is limited to; undefined if it applies to the whole tenant, or is missing. */
export function siteOfScope(caller: RightsHolder, permission: Permission): string | undefined {
  return permissionScope(caller, permission) === "site" ? caller.siteId : undefined;
}

/** Every permission that the caller has for the request: in the tenant, and at the request's site. */
export function effectivePermissions(caller: RightsHolder): Permission[] {
  return permissions.filter((permission) => permissionScope(caller, permission));
}

export function hasAnyRole(caller: Pick<Caller, "roles">): boolean {
  return (
    caller.roles.roleIds.length > 0 ||
    Object.values(caller.roles.sites).some((site) => site.roleIds.length > 0)
  );
}

/** 403 for a key whose restriction excludes a permission of its owner. */
function restricted({ permissions, siteIds }: KeyRestrictions, permission: Permission): ApiError {
  const sites = [...(siteIds ?? [])].slice(0, 5).join(", ");
  const detail =
    permissions?.has(permission) === false
      ? `This API key is restricted: it was not given the permission ${permission}.`
      : `This API key is restricted to sites (${sites}): it has ${permission} there alone.`;
  return new ApiError("auth.api-key-restricted", detail, permission);
}

/** Throws 403 for an API key that is restricted to other permissions, whatever its owner's roles. */
export function assertKeyNotRestricted(
  { keyRestrictions }: RightsHolder,
  permission: Permission,
): void {
  if (keyRestrictions?.permissions?.has(permission) === false)
    throw restricted(keyRestrictions, permission);
}

/** Throws 403 with the missing permission as reason; `isTenantWide` if a role at a site is not enough. */
export function assertPermission(
  caller: RightsHolder,
  permission: Permission | "any-role",
  isTenantWide = false,
): void {
  if (permission === "any-role") {
    if (!hasAnyRole(caller))
      throw new ApiError(
        "user.no-role",
        "You have no role in this tenant. Ask an administrator for one.",
        "portal.default",
      );
    return;
  }
  const reached = permissionScope(caller, permission);
  if (reached === "tenant" || (reached === "site" && !isTenantWide)) return;
  const ofOwner = permissionScope({ ...caller, keyRestrictions: undefined }, permission);
  if (caller.keyRestrictions && (ofOwner === "tenant" || (ofOwner === "site" && !isTenantWide)))
    throw restricted(caller.keyRestrictions, permission);
  const role = rolesWith(permission)[0] ?? "tenant.admin";
  throw new ApiError(
    "auth.permission-missing",
    `This needs the permission ${permission}, for example by the role ${role}.`,
    permission,
  );
}

/** The credential epoch that a link of this caller depends on; null for an API key, which outlives password changes. */
export const epochOfIssuer = ({ kind, credentialEpoch }: Caller): number | null =>
  kind === "apiKey" ? null : (credentialEpoch ?? null);

/** Whether the issuer's sessions were ended since then, for example by a change of the password: a stolen session may have issued it. */
export const isIssuerEnded = (issuerEpoch: number | null, issuer: Principal): boolean =>
  issuerEpoch !== null && issuerEpoch < (issuer.credentialEpoch ?? 0);

/** A caller of the consumer interface: a visitor of one site, known only by the id of an anonymous token. */
export interface Shopper extends Origin {
  /** For a request with an idempotency key: the transactions held open until its response is stored. */
  held?: HeldTransactions | undefined;
  tenantId: string;
  siteId: string;
  /** Issued with the anonymous token and copied to the access tokens of the sign-in that follows. */
  anonymousId: string;
}

/** A shopper who signed in. */
export interface SignedInShopper extends Shopper {
  customerId: string;
  /** The sign-in that the access token came from. */
  familyRef: string;
}
