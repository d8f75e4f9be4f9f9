import { and, eq, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { forgetNetworks } from "@/lib/access/known-networks";
import { type TokenRevocation, withTokenRevocation } from "@/lib/access/token-revocations";
import type { Transaction } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { eraseOriginsFromTrail } from "@/lib/features/audit/erase";
import { actingAs, record } from "@/lib/features/audit/service";
import { addUse } from "@/lib/features/quotas/quotas";
import { assertUnchangedBy } from "@/lib/http/answer";
import type { Context } from "@/lib/http/context";
import { deleteResponsesAbout } from "@/lib/http/idempotent-response-rows";
import { log } from "@/lib/protocol/log";
import { assertCare } from "./customer-admin";
import { findCustomer, getCustomer, notAtSite, type Staff } from "./customer-queries";
import { type EraseCustomer, getCustomer as representation } from "./staff-contract";

interface Who {
  tenantId: string;
  customerId: string;
}

/**
 * Deletes a customer with all stored data about the customer, in a transaction opened with `withTokenRevocation`. False when there is no
 * such row, or `condition` does not hold for it.
 */
export async function deleteCustomer(
  tx: Transaction,
  end: (endings: TokenRevocation[]) => Promise<void>,
  { tenantId, customerId }: Who,
  condition?: SQL,
): Promise<boolean> {
  const self = and(eq(customers.tenantId, tenantId), eq(customers.customerId, customerId));
  const [gone] = await tx
    .delete(customers)
    .where(and(self, condition))
    .returning({ loginKey: customers.loginKey });
  if (!gone) return false;
  await forgetNetworks(tx, { tenantId, plane: "consumer", loginKey: gone.loginKey });
  await deleteResponsesAbout(tx, tenantId, customerId);
  await end([{ subject: customerId, effect: "ended" }]);
  return true;
}

/** Erases the address and agent of the customer's actions from the trail, once the deletion has committed. */
export async function eraseCustomerOrigins({ tenantId, customerId }: Who): Promise<void> {
  await eraseOriginsFromTrail(tenantId, customerId).catch((error: unknown) =>
    log().error(
      { err: error, tenantId, customerId },
      "the audit trail still holds addresses of a deleted customer",
    ),
  );
}

/**
 * Erases a customer on request, with the same data as the customer's own deletion. The trail keeps the id, the actor and the reason. Throws
 * 404 and 412, and 403 for a customer of sites at which the caller lacks the right.
 */
export async function eraseCustomer(
  context: Pick<Context, "request"> & {
    caller: Staff;
    params: { id: string };
    body: z.output<typeof EraseCustomer>;
  },
): Promise<void> {
  const { caller, params, body } = context;
  const assertUnchanged = assertUnchangedBy(context, representation);
  const customerId = params.id;
  const who = { tenantId: caller.tenantId, customerId };
  await findCustomer(caller, customerId);
  await withTokenRevocation(caller.tenantId, async (tx, end) => {
    await assertCare(tx, caller, customerId);
    await assertUnchanged(() => getCustomer(caller, customerId));
    if (!(await deleteCustomer(tx, end, who))) throw notAtSite();
    await record(tx, actingAs(caller), {
      action: "customer.erased",
      target: { type: "customer", id: customerId },
      changes: { reason: { after: body.reason } },
    });
    await addUse(tx, caller.tenantId, "customers", -1);
  });
  await eraseCustomerOrigins(who);
}
