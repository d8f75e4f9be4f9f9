import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { customerEmails, customers } from "@/lib/database/schema/schema";
import { CustomerDetails } from "@/lib/protocol/documents/customer-profile";

interface Who {
  tenantId: string;
  customerId: string;
}

/** The names of the fields in which two profiles differ. */
export function changedFields(
  before: CustomerDetails,
  after: CustomerDetails,
): (keyof CustomerDetails)[] {
  const names = Object.keys(CustomerDetails.shape) as (keyof CustomerDetails)[];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** The keys by which staff finds a customer by e-mail address. */
export function emailKeys({ emailAddresses }: CustomerDetails): string[] {
  const all = [
    ...emailAddresses.addresses,
    ...(emailAddresses.default ? [emailAddresses.default] : []),
  ];
  return [...new Set(all.map(({ address }) => address.toLowerCase()))];
}

/** The rows by which staff finds a customer by e-mail address. */
export async function writeEmails(
  tx: Transaction,
  { tenantId, customerId }: Who,
  details: CustomerDetails,
): Promise<void> {
  await tx
    .delete(customerEmails)
    .where(and(eq(customerEmails.tenantId, tenantId), eq(customerEmails.customerId, customerId)));
  const keys = emailKeys(details);
  if (keys.length > 0)
    await tx
      .insert(customerEmails)
      .values(keys.map((emailKey) => ({ tenantId, emailKey, customerId })));
}

/** Writes the details if the profile is still at this revision; false when somebody was faster. */
export async function writeDetails(
  tx: Transaction,
  { tenantId, customerId }: Who,
  before: { revision: number; details: CustomerDetails },
  details: CustomerDetails,
): Promise<boolean> {
  const hasNewEmails = changedFields(before.details, details).includes("emailAddresses");
  // Password tokens were sent to the address of before.
  const epoch = hasNewEmails && { credentialEpoch: sql`${customers.credentialEpoch} + 1` };
  const written = await tx
    .update(customers)
    .set({ details, revision: before.revision + 1, ...epoch })
    .where(
      and(
        eq(customers.tenantId, tenantId),
        eq(customers.customerId, customerId),
        eq(customers.revision, before.revision),
      ),
    )
    .returning({ revision: customers.revision });
  if (written.length === 0) return false;
  if (hasNewEmails) await writeEmails(tx, { tenantId, customerId }, details);
  return true;
}
