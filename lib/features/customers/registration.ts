import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Shopper } from "@/lib/access/caller";
import { hashPassword } from "@/lib/access/hashing";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { db, type Transaction } from "@/lib/database/open";
import { customerSites, customers } from "@/lib/database/schema/schema";
import { takeFromQuota } from "@/lib/features/quotas/quotas";
import {
  type CustomerDetails,
  type CustomerProfile,
  cardNumberProblems,
  emptyDetails,
} from "@/lib/protocol/documents/customer-profile";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { noteEvent } from "./activity";
import type { Registration } from "./contract";
import { findProfile } from "./own-profile";
import { passwordContext } from "./passwords";
import { writeEmails } from "./profile-rows";

export const loginTaken = (login: string) =>
  new ApiError("customer.login-taken", `The login "${login}" is in use at this shop.`, "/login");

function detailsOf({
  emailAddress,
  name,
  birthDate,
}: z.output<typeof Registration>): CustomerDetails {
  const address = emailAddress === undefined ? undefined : { address: emailAddress };
  return {
    ...emptyDetails,
    ...(address ? { emailAddresses: { addresses: [address], default: address } } : {}),
    ...(name ? { name } : {}),
    ...(birthDate === undefined ? {} : { birthDate }),
  };
}

interface NewCustomer {
  tenantId: string;
  siteIds: string[];
  login: string;
  passwordHash: string;
  details: CustomerDetails;
  registeredAt?: Date;
}

/** Adds a customer to a tenant; undefined when the login is taken. */
export async function insertCustomer(
  tx: Transaction,
  { tenantId, siteIds, login, registeredAt, ...rest }: NewCustomer,
) {
  const customerId = newId("cust");
  const row = {
    tenantId,
    customerId,
    login,
    loginKey: labelKey(login),
    registeredAt: registeredAt ?? new Date(),
    revision: 1,
    ...rest,
  };
  const inserted = await tx
    .insert(customers)
    .values(row)
    .onConflictDoNothing({ target: [customers.tenantId, customers.loginKey] })
    .returning({ customerId: customers.customerId });
  if (inserted.length === 0) return undefined;
  await tx
    .insert(customerSites)
    .values(siteIds.map((siteId) => ({ tenantId, siteId, customerId })));
  await writeEmails(tx, { tenantId, customerId }, rest.details);
  return customerId;
}

/** Registers a customer at this site. Throws 409 for a login in use anywhere in the tenant, 400 for an unsuitable password. */
export async function registerCustomer(
  shopper: Shopper,
  given: z.output<typeof Registration>,
): Promise<CustomerProfile> {
  const { tenantId, siteId } = shopper;
  const { login, password, ...profile } = given;
  const cards = cardNumberProblems({ login, ...profile });
  if (cards.length > 0) throw invalid(cards);
  assertPasswordSuitable("consumer", password, passwordContext(shopper, login, detailsOf(given)));
  const sameLogin = and(eq(customers.tenantId, tenantId), eq(customers.loginKey, labelKey(login)));
  const found = await db().select({ id: customers.customerId }).from(customers).where(sameLogin);
  if (found.length > 0) throw loginTaken(login);
  const passwordHash = await hashPassword({ plane: "consumer", tenantId }, password);
  return transactionFor(shopper, async (tx) => {
    const made = await insertCustomer(tx, {
      tenantId,
      siteIds: [siteId],
      login,
      passwordHash,
      details: detailsOf(given),
    });
    if (made === undefined) throw loginTaken(login);
    await takeFromQuota(tx, tenantId, "customers", 1);
    await noteEvent(tx, shopper, { customerId: made, action: "registered" });
    const found = await findProfile(tenantId, made, tx);
    if (!found) throw new Error("A customer was gone as soon as registered.");
    return found.profile;
  });
}
