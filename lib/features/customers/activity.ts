import type { Origin } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import type { Executor } from "@/lib/database/open";
import { customerActivity } from "@/lib/database/schema/schema";

interface Where extends Origin {
  tenantId: string;
  siteId: string;
}

interface Activity {
  customerId: string;
  action: string;
  /** What changed of the profile. */
  fields?: string[];
}

/** Writes a row about what a customer did. */
export async function noteActivity(
  tx: Executor,
  where: Where,
  { customerId, action, fields = [] }: Activity,
): Promise<void> {
  const { tenantId, siteId, requestId, address, agent } = where;
  const activityId = newId("act");
  await tx.insert(customerActivity).values({
    tenantId,
    activityId,
    customerId,
    occurredAt: new Date(),
    action,
    siteId,
    fields,
    requestId,
    address,
    agent,
  });
}

/** On whose behalf an audit entry about a customer's own doing is written. */
export function actingAsCustomer(
  { tenantId, requestId, address, agent }: Where,
  customerId: string,
) {
  return {
    tenantId,
    actor: { type: "customer" as const, id: customerId },
    requestId,
    address,
    agent,
  };
}
