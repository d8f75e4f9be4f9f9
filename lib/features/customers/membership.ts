import { and, eq, sql } from "drizzle-orm";
import { assertPermission } from "@/lib/access/caller";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { type Transaction, transaction } from "@/lib/database/open";
import { customerSites, customers } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import { findCustomer, getCustomer, notAtSite, type Staff } from "./customer-queries";
import type { CustomerDetail } from "./staff-contract";
import { endTokenFamilies } from "./token-families";

/** Throws 404 for an unknown site, 403 for one at which the caller may not manage customers. */
function checkSite(caller: Staff, siteId: string): void {
  if (!caller.siteIds.has(siteId))
    throw new ApiError("site.not-found", `The tenant has no site "${siteId}".`);
  assertPermission({ ...caller, siteId }, "customer.manage");
}

/**
 * The customer's sites, read while the customer's row is locked, so that they cannot change before the transaction ends.
 * `raisesRevision` when the sites are about to change: the profile shows them, so its entity tag changes too. Throws 404.
 */
export async function siteIdsUnderLock(
  tx: Transaction,
  { tenantId }: Pick<Staff, "tenantId">,
  id: string,
  raisesRevision = false,
): Promise<string[]> {
  const self = and(eq(customers.tenantId, tenantId), eq(customers.customerId, id));
  const locked = await tx
    .update(customers)
    .set({ revision: sql`${customers.revision} + ${raisesRevision ? 1 : 0}` })
    .where(self)
    .returning({ id: customers.customerId });
  if (locked.length === 0) throw notAtSite();
  const own = and(eq(customerSites.tenantId, tenantId), eq(customerSites.customerId, id));
  const rows = await tx.select({ siteId: customerSites.siteId }).from(customerSites).where(own);
  return rows.map((row) => row.siteId).sort();
}

function recordSites(
  tx: Transaction,
  caller: Staff,
  id: string,
  { before, after }: { before: string[]; after: string[] },
) {
  const changes = { siteIds: { before, after: [...after].sort() } };
  return record(tx, actingAs(caller), {
    action: "customer.sites-changed",
    target: { type: "customer", id },
    changes,
  });
}

/** Lets a customer of the request's site sign in at another one too, with the same login and profile. */
export async function addToSite(
  caller: Staff,
  id: string,
  siteId: string,
): Promise<CustomerDetail> {
  await findCustomer(caller, id);
  checkSite(caller, siteId);
  await transaction(async (tx) => {
    const before = await siteIdsUnderLock(tx, caller, id, true);
    if (before.includes(siteId)) return;
    await tx.insert(customerSites).values({ tenantId: caller.tenantId, siteId, customerId: id });
    await recordSites(tx, caller, id, { before, after: [...before, siteId] });
  });
  return getCustomer(caller, id);
}

/** Removes a customer from a site and ends the sign-ins there. Throws 409 for the only site: that would be a deletion. */
export async function removeFromSite(caller: Staff, id: string, siteId: string): Promise<void> {
  const { tenantId } = caller;
  await findCustomer(caller, id);
  checkSite(caller, siteId);
  await withTokenRevocation(tenantId, async (tx, end) => {
    const before = await siteIdsUnderLock(tx, caller, id, true);
    if (!before.includes(siteId)) throw notAtSite();
    const after = before.filter((one) => one !== siteId);
    if (after.length === 0)
      throw new ApiError("customer.last-site", "The customer belongs to no other site.");
    const here = and(
      eq(customerSites.tenantId, tenantId),
      eq(customerSites.siteId, siteId),
      eq(customerSites.customerId, id),
    );
    await tx.delete(customerSites).where(here);
    await endTokenFamilies(tx, end, {
      tenantId,
      customerId: id,
      reason: "staff",
      at: siteId,
    });
    await recordSites(tx, caller, id, { before, after });
  });
}
