import { type Caller, permissionScope } from "@/lib/access/caller";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";

type Rights = Pick<Caller, "roles" | "keyRestrictions">;

/** The sites among the given ones at which the caller lacks the permission. A tenant-level role has it at every site. */
export function sitesWithout(
  { roles, keyRestrictions }: Rights,
  permission: Permission,
  siteIds: readonly string[],
): string[] {
  return siteIds.filter(
    (siteId) => !permissionScope({ roles, keyRestrictions, siteId }, permission),
  );
}

/**
 * Requires `customer.manage` at every site of a customer: a lock, the end of sessions, a password token, revealed data and
 * erasure take effect at all of them. Throws 403.
 */
export function assertManagesEverySite(caller: Rights, siteIds: readonly string[]): void {
  const missing = sitesWithout(caller, "customer.manage", siteIds);
  if (missing.length === 0) return;
  throw new ApiError(
    "customer.other-sites",
    `The customer also belongs to ${missing.join(", ")}. This needs customer.manage at each of the customer's sites.`,
    "customer.manage",
  );
}
