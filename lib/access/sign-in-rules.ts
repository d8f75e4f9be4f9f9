import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import type { TenantRoles } from "./caller";

/** Whether the policy considers these roles those of an administrator, of the tenant or of a site. */
export const isAdministrator = ({ roleIds, sites }: TenantRoles) =>
  [roleIds, ...Object.values(sites).map((site) => site.roleIds)].some((ids) =>
    ids.includes("tenant.admin"),
  );

/** The time from which a policy requires a second factor for these roles; undefined if it never does. */
export function secondFactorRequiredFrom(
  { secondFactor, secondFactorFrom }: SecurityPolicy,
  roles: TenantRoles,
): Date | undefined {
  if (secondFactor === undefined) return undefined;
  if (secondFactor === "administrators" && !isAdministrator(roles)) return undefined;
  return new Date(secondFactorFrom ?? 0);
}
