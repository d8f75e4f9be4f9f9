import type { z } from "zod";
import { transactionFor } from "@/lib/database/held-transactions";
import { actingAs, record } from "@/lib/features/audit/service";
import { takeFromQuota } from "@/lib/features/quotas/quotas";
import type { Context } from "@/lib/http/context";
import { created } from "@/lib/http/responses";
import { getCustomer, type Staff } from "./customer-queries";
import type { NewCustomer } from "./managing-contract";
import { newDetails } from "./patched-details";
import { insertCustomer, loginTaken } from "./registration";
import type { CustomerDetail } from "./staff-contract";

/** In place of the hash of a customer who has no password yet: nothing matches it. */
export const noPassword = "";

/** Creates a customer of the request's site, who has no password until a password token is redeemed. Throws 400, 409 and 429. */
export async function createCustomer(
  context: Pick<
    Context<unknown, z.output<typeof NewCustomer>, string, Staff>,
    "caller" | "body" | "responseHeaders"
  >,
): Promise<CustomerDetail> {
  const { caller, body } = context;
  const { login } = body;
  const { tenantId, siteId = "" } = caller;
  const details = newDetails(body);
  const id = await transactionFor(caller, async (tx) => {
    const row = { tenantId, siteIds: [siteId], login, passwordHash: noPassword, details };
    const inserted = await insertCustomer(tx, row);
    if (inserted === undefined) throw loginTaken(login);
    await takeFromQuota(tx, tenantId, "customers", 1);
    await record(tx, actingAs(caller), {
      action: "customer.registered",
      target: { type: "customer", id: inserted },
    });
    return inserted;
  });
  return created(context, "/v1/customers", await getCustomer(caller, id));
}
