import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertUnchangedBy } from "@/lib/http/conditional-write";
import type { Context } from "@/lib/http/context";
import type { JsonObject } from "@/lib/protocol/merge-patch";
import { assertCare } from "./customer-admin";
import { describeCustomer, findCustomer, getCustomer, type Staff } from "./customer-queries";
import { patchedDetails } from "./patched-details";
import { changedFields, writeDetails } from "./profile-rows";
import { type CustomerDetail, getCustomer as representation } from "./staff-contract";

/**
 * Changes a customer's profile by a merge patch. The trail names the fields, never values. Throws 400, 404 and 412, and 403 for a
 * customer of sites at which the caller lacks the right.
 */
export async function updateCustomer(
  context: Pick<Context, "request"> & { caller: Staff; params: { id: string }; body: JsonObject },
): Promise<CustomerDetail> {
  const { caller, params, body } = context;
  const { id } = params;
  const assertUnchanged = assertUnchangedBy(context, representation);
  const { tenantId } = caller;
  await findCustomer(caller, id);
  await transaction(async (tx) => {
    await assertCare(tx, caller, id);
    const before = await findCustomer(caller, id, tx);
    const unlisted = { sessions: [], activity: [] };
    await assertUnchanged(() => ({ ...describeCustomer(caller, before), ...unlisted }));
    const details = patchedDetails(before.details, body);
    const fields = changedFields(before.details, details);
    if (fields.length === 0) return;
    await writeDetails(tx, { tenantId, customerId: id }, before, details);
    await record(tx, actingAs(caller), {
      action: "customer.updated",
      target: { type: "customer", id },
      changes: Object.fromEntries(fields.map((field) => [field, {}])),
    });
  });
  return getCustomer(caller, id);
}
