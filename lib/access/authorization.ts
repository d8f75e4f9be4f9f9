import { z } from "zod";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import type { Endpoint, Requirement } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import { assertKeyNotRestricted, assertPermission, type Caller } from "./caller";
import { policyOf } from "./sites";

/** The reason for allowing it: a role and where it is held, or a sentence where no role is needed. */
export const Ground = z.object({
  detail: z.string(),
  role: z.string().optional(),
  site: z.string().optional(),
  permission: z.string().optional(),
});

const Obstacle = z.object({
  code: z.string(),
  detail: z.string(),
  reason: z.string().optional(),
});

export const Explanation = z
  .object({
    allowed: z.boolean(),
    because: z.array(Ground),
    missing: z
      .array(z.string())
      .meta({ description: "Permissions that a role would have to give" }),
    blockedBy: z
      .array(Obstacle)
      .meta({ description: "What else stands in the way, by the code that a request would get" }),
  })
  .meta({ id: "Explanation" });

export type Explanation = z.infer<typeof Explanation>;

type Declared = Pick<
  Endpoint,
  "permission" | "keyRule" | "isTenantWide" | "requires" | "worksBeforePasswordChange"
>;

type ForKeys = Pick<Endpoint, "keyRule" | "permission">;

/** Throws 400 for a site that the tenant does not have; "" means no site. */
export function assertSiteKnown({ siteIds }: Pick<Caller, "siteIds">, siteId: string): void {
  if (siteId === "" || siteIds.has(siteId)) return;
  throw new ApiError("site.unknown", `The tenant has no site "${siteId}".`, "X-Service-Site");
}

/** Throws 403 for a user who has yet to change a one-time password. */
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

/** Throws 403 for a caller whose roles do not allow the operation in the request's tenant or site. */
export function assertRights(
  declared: Declared,
  caller: Pick<Caller, "roles" | "siteId" | "keyRestrictions" | "isSystem">,
): void {
  if (declared.requires.includes("platform-user") && !caller.isSystem)
    throw new ApiError(
      "auth.permission-missing",
      "Only the platform's own users may do this.",
      "system",
    );
  if (declared.permission) assertPermission(caller, declared.permission, declared.isTenantWide);
  const needed = declared.keyRule?.restrictedNeeds;
  if (needed) assertKeyNotRestricted(caller, needed);
}

/**
 * Throws 403 for an API key of a person where only programs may use one, and for an unrestricted key where the key's
 * restriction must name the permission: its creator has to allow the operation explicitly.
 */
function assertKeyMadeForThis(
  { permission, keyRule }: ForKeys,
  { isServiceUser, keyRestrictions }: Pick<Caller, "isServiceUser" | "keyRestrictions">,
): void {
  if (permission === undefined || permission === "any-role") return;
  if (keyRule?.mustBeOfServiceUser && !isServiceUser)
    throw new ApiError(
      "auth.api-key-of-person",
      "This API key belongs to a person. Use a session, or a key of a service user.",
      permission,
    );
  if (!keyRule?.mustNamePermission || keyRestrictions?.permissions?.has(permission)) return;
  throw new ApiError(
    "auth.api-key-unrestricted",
    `This API key is unrestricted: it needs a restriction that includes ${permission} for this.`,
    permission,
  );
}

/** Throws 403 for an API key that was not made for this, or where the tenant's policy does not allow keys to call the operation. */
export function assertApiKeyAllowed(
  declared: ForKeys,
  caller: Pick<Caller, "kind" | "isServiceUser" | "keyRestrictions">,
  policy: SecurityPolicy,
): void {
  if (caller.kind !== "apiKey") return;
  assertKeyMadeForThis(declared, caller);
  const member = declared.keyRule?.policy;
  if (member === undefined || policy[member]) return;
  const detail =
    "The tenant's security policy does not allow API keys to create password tokens. Use a session.";
  throw new ApiError("customer.password-token-session-only", detail, "tenant.manage");
}

/** Throws 403 if the tenant's policy closes registration. */
export async function assertRegistrationOpen(tenantId: string): Promise<void> {
  const { allowsRegistration = true } = await policyOf(tenantId);
  if (allowsRegistration) return;
  throw new ApiError(
    "customer.registration-closed",
    "This shop takes no new customers. Ask the shop for an account.",
    "tenant.manage",
  );
}

/** Whether the operator has configured a mail server. */
export const isMailOn = (): boolean => setting("SMTP_URL") !== undefined;

/** Throws 403 if the installation sends no mail. */
function assertMailOn(): void {
  if (isMailOn()) return;
  throw new ApiError(
    "mail.off",
    "This installation sends no mail. Ask an administrator of the tenant for a link.",
    "SMTP_URL",
  );
}

/** SIGN_UP is `on` or `off`; the default is on with the embedded store (for trying out) and off with DATABASE_URL. */
export function isSignUpOpen(): boolean {
  const wanted = setting("SIGN_UP");
  return wanted ? wanted === "on" : !setting("DATABASE_URL");
}

/** Throws 403 if sign-up is closed. */
function assertSignUpOpen(): void {
  if (isSignUpOpen()) return;
  throw new ApiError(
    "signup.closed",
    "Sign-up is closed on this installation. Ask its operator to create a tenant.",
    "SIGN_UP",
  );
}

/** Requirements that the settings of the installation can turn off. */
const offers: Partial<Record<Requirement, () => void>> = {
  "open-sign-up": assertSignUpOpen,
  mail: assertMailOn,
};

/** Throws 403 for an operation that the settings of the installation turn off. */
export function assertOffered({ requires }: Pick<Endpoint, "requires">): void {
  for (const requirement of requires) offers[requirement]?.();
}
