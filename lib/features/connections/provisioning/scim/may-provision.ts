import type { Transaction } from "@/lib/database/open";
import { isEmergencyAdministrator } from "@/lib/features/users/emergency-administrators";
import type { Target } from "@/lib/features/users/find-target";
import { ScimError } from "./scim-error";

export const notProvisionable = () =>
  new ScimError(
    403,
    "mutability",
    "This is an emergency administrator: changed in the portal only.",
  );

/**
 * Throws 403 for users whom provisioning must not change although they are in reach of the connection: emergency administrators, who must
 * be able to sign in when everything else fails. The only place that decides this.
 */
export async function assertMayProvision(
  tx: Transaction,
  tenantId: string,
  { userId }: Pick<Target, "userId">,
): Promise<void> {
  if (await isEmergencyAdministrator(tx, { tenantId, userId })) throw notProvisionable();
}
