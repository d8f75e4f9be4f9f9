import type { Origin } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import type { Executor } from "@/lib/database/open";
import { customerActivity } from "@/lib/database/schema/schema";

interface Where extends Origin {
  tenantId: string;
  siteId: string;
}

/** Writes a row about what a customer did; `fields` names what changed of the profile. */
export async function noteActivity(
  tx: Executor,
  where: Where,
  customerId: string,
  action: string,
  fields: string[] = [],
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
