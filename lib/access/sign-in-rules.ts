import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import type { TenantRoles } from "./caller";

/** Whether the policy counts somebody with these roles as an administrator: of the tenant, or of a site. */
export const isAdministrator = ({ roleIds, sites }: TenantRoles) =>
  [roleIds, ...Object.values(sites).map((site) => site.roleIds)].some((ids) =>
    ids.includes("tenant.admin"),
  );

/** From when on a policy requires a second factor of somebody with these roles; undefined where it never does. */
export function secondFactorRequiredFrom(
  { secondFactor, secondFactorFrom }: SecurityPolicy,
  roles: TenantRoles,
): Date | undefined {
  if (secondFactor === undefined) return undefined;
  if (secondFactor === "administrators" && !isAdministrator(roles)) return undefined;
  return new Date(secondFactorFrom ?? 0);
}
