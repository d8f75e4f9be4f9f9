import type { StoredCredential } from "@/lib/access/access-versions";
import {
  assertCredentialAccepted,
  assertCredentialUsable,
  assertNotRevoked,
} from "@/lib/access/authenticate";
import {
  assertApiKeyAllowed,
  assertOffered,
  assertPasswordChanged,
  assertRights,
  assertSiteKnown,
  type Explanation,
} from "@/lib/access/authorization";
import type { TenantRoles } from "@/lib/access/caller";
import { permissionsOf } from "@/lib/access/roles";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import type { Endpoint, ManagementCredential } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";

type Ground = Explanation["because"][number];

function checkPlane({ plane, credentials }: Endpoint): void {
  if (plane === "management" || credentials.length === 0) return;
  throw new ApiError(
    "auth.token-wrong-kind",
    "This operation is for shoppers: it takes their tokens alone.",
    credentials.join(","),
  );
}

function checkNamedSite({ scope }: Endpoint, siteId: string): void {
  if (scope === "site" && siteId === "")
    throw new ApiError("request.header-missing", "This operation needs a site.", "X-Service-Site");
}

/** The error that a check of a request would throw; undefined if it passes. */
function rejectionBy(check: () => void): ApiError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const where = (site: string | undefined) =>
  site === undefined ? "in the whole tenant" : `at the site ${site}`;

/** The roles that count for an operation, with the places where they are held. */
function grounds(declared: Endpoint, roles: TenantRoles, siteId: string): Ground[] {
  const { permission } = declared;
  if (declared.credentials.length === 0) return [{ detail: "Anybody may call this." }];
  const places = [
    { site: undefined, roleIds: roles.roleIds },
    ...Object.entries(roles.sites).map(([site, { roleIds }]) => ({ site, roleIds })),
  ];
  if (permission === undefined) return [{ detail: "A valid credential is enough." }];
  if (permission === "any-role")
    return places.flatMap(({ site, roleIds }) => roleIds.map((role) => ground(role, site)));
  const counting = places.filter(({ site }) => site === undefined || site === siteId);
  return counting.flatMap(({ site, roleIds }) =>
    roleIds
      .filter((role) => permissionsOf(role).has(permission))
      .map((role) => ground(role, site, permission)),
  );
}

function ground(role: string, site: string | undefined, permission?: Permission): Ground {
  const gives = permission === undefined ? "is enough" : `gives ${permission}`;
  return {
    detail: `${role} ${where(site)} ${gives}.`,
    role,
    ...(site !== undefined && { site }),
    ...(permission && { permission }),
  };
}

/** A user may use any accepted credential; a key can only use itself. */
function kindFor(declared: Endpoint, credential: StoredCredential): ManagementCredential {
  const accepted = declared.credentials as readonly ManagementCredential[];
  const isOwn = credential.principal.kind === "apiKey" || accepted.includes("session");
  return isOwn ? credential.principal.kind : (accepted[0] ?? "session");
}

/** The permissions that are missing, and the other reasons. */
function describeRejections(rejections: ApiError[]): Pick<Explanation, "missing" | "blockedBy"> {
  const missing = rejections.flatMap(({ code, reason }) =>
    code === "auth.permission-missing" && reason !== undefined ? [reason] : [],
  );
  const blockedBy = rejections
    .filter(({ code }) => code !== "auth.permission-missing")
    .map(({ code, message: detail, reason }) => ({
      code,
      detail,
      ...(reason !== undefined && { reason }),
    }));
  return { missing, blockedBy };
}

/** Every check for a request of the operation; each throws the error that the request would get. */
function checksOf(
  declared: Endpoint,
  credential: StoredCredential,
  siteId: string,
  policy: SecurityPolicy,
): (() => unknown)[] {
  const { principal } = credential;
  const caller = { ...principal, siteId: siteId || undefined };
  const accepted = declared.credentials as readonly ManagementCredential[];
  const isPublic = accepted.length === 0;
  const isForShoppers = declared.plane === "consumer";
  const ofCredential = [
    () => checkPlane(declared),
    () =>
      isForShoppers ||
      assertCredentialAccepted(
        kindFor(declared, credential),
        accepted,
        declared.keyRule?.noneBecause,
      ),
    () => assertNotRevoked(credential),
    () => assertCredentialUsable(credential, Date.now()),
    () => assertPasswordChanged(declared, caller),
    () => isForShoppers || assertRights(declared, caller),
    () => isForShoppers || assertApiKeyAllowed(declared, principal, policy),
  ];
  const ofSite = [
    () => checkNamedSite(declared, siteId),
    () => (isPublic && !isForShoppers) || assertSiteKnown(caller, siteId),
  ];
  return [...(isPublic ? [] : ofCredential), ...ofSite, () => assertOffered(declared)];
}

/**
 * The response to a request with this credential, computed with the checks that requests pass. "" is no site.
 * Lists every reason for a rejection, not only the first.
 */
export function decide(
  declared: Endpoint,
  credential: StoredCredential,
  siteId: string,
  policy: SecurityPolicy,
): Explanation {
  const isPublic = declared.credentials.length === 0;
  const isForShoppers = declared.plane === "consumer";
  const rejections = checksOf(declared, credential, siteId, policy).flatMap(
    (check) => rejectionBy(() => void check()) ?? [],
  );
  const { missing, blockedBy } = describeRejections(rejections);
  const because =
    missing.length > 0 || (isForShoppers && !isPublic)
      ? []
      : grounds(declared, credential.principal.roles, siteId);
  return { allowed: rejections.length === 0, because, missing, blockedBy };
}
