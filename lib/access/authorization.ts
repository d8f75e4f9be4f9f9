import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { assertKeyNotRestricted, assertPermission, type Caller } from "./caller";
import { policyOf } from "./sites";

type Declared = Pick<
  Endpoint,
  "permission" | "restrictedKeyNeeds" | "isTenantWide" | "isForSystem" | "worksBeforePasswordChange"
>;

/** Throws 400 for a site that the tenant does not have; "" is none. */
export function assertSiteKnown({ siteIds }: Pick<Caller, "siteIds">, siteId: string): void {
  if (siteId === "" || siteIds.has(siteId)) return;
  throw new ApiError("site.unknown", `The tenant has no site "${siteId}".`, "X-Service-Site");
}

/** Throws 403 for somebody who has yet to change a one-time password. */
export function assertPasswordChanged(
  declared: Pick<Declared, "worksBeforePasswordChange">,
  { mustChangePassword }: Pick<Caller, "mustChangePassword">,
): void {
  if (!mustChangePassword || declared.worksBeforePasswordChange) return;
  throw new ApiError(
    "auth.password-change-required",
    "Change the one-time password first.",
    "PUT /v1/user/password",
  );
}

/** Throws 403 for somebody whose roles do not allow the operation where the request is. */
export function assertRights(
  declared: Declared,
  caller: Pick<Caller, "roles" | "siteId" | "keyRestrictions" | "isSystem">,
): void {
  if (declared.isForSystem && !caller.isSystem)
    throw new ApiError(
      "auth.permission-missing",
      "Only the platform's own users may do this.",
      "system",
    );
  if (declared.permission) assertPermission(caller, declared.permission, declared.isTenantWide);
  if (declared.restrictedKeyNeeds) assertKeyNotRestricted(caller, declared.restrictedKeyNeeds);
}

/** Throws 403 for an API key that does not name the permission, or where the tenant's policy does not allow keys to call the operation. */
export function assertApiKeyAllowed(
  declared: Pick<Endpoint, "apiKeyNeedsPolicy" | "apiKeyMustNamePermission" | "permission">,
  { kind, keyRestrictions }: Pick<Caller, "kind" | "keyRestrictions">,
  policy: SecurityPolicy,
): void {
  if (kind !== "apiKey") return;
  const { apiKeyNeedsPolicy, apiKeyMustNamePermission, permission } = declared;
  if (apiKeyMustNamePermission && permission !== undefined && permission !== "any-role") {
    const detail = `An API key needs a restriction that includes ${permission} for this.`;
    if (!keyRestrictions?.permissions?.has(permission))
      throw new ApiError("auth.permission-missing", detail, permission);
  }
  if (apiKeyNeedsPolicy === undefined || policy[apiKeyNeedsPolicy]) return;
  const detail =
    "The tenant's security policy does not allow API keys to create password tokens. Use a session.";
  throw new ApiError("customer.password-token-session-only", detail, "tenant.manage");
}

/** Throws 403 where the tenant's policy lets nobody register. */
export async function assertRegistrationOpen(tenantId: string): Promise<void> {
  const { allowsRegistration = true } = await policyOf(tenantId);
  if (allowsRegistration) return;
  throw new ApiError(
    "customer.registration-closed",
    "This shop takes no new customers. Ask the shop for an account.",
    "tenant.manage",
  );
}
