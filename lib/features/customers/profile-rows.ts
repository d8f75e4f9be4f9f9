import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/lib/database/open";
import { customerEmails, customers } from "@/lib/database/schema/schema";
import {
  CustomerDetails,
  cardNumberProblems,
  emptyDetails,
} from "@/lib/protocol/documents/customer-profile";
import { invalid, type Problem } from "@/lib/protocol/errors";
import { applyMergePatch, type JsonObject } from "@/lib/protocol/merge-patch";
import { bodyProblems } from "@/lib/protocol/validation";

/** Every default must be in its list, or emptying a list would leave personal data behind. */
function defaultProblems({ addresses, creditCards, emailAddresses }: CustomerDetails): Problem[] {
  const defaults: [string, unknown, readonly unknown[]][] = [
    ["/addresses/defaultBilling", addresses.defaultBilling, addresses.addresses],
    ["/addresses/defaultShipping", addresses.defaultShipping, addresses.addresses],
    ["/creditCards/default", creditCards.default, creditCards.cards],
    ["/emailAddresses/default", emailAddresses.default, emailAddresses.addresses],
  ];
  return defaults
    .filter(
      ([, value, list]) =>
        value !== undefined && !list.some((one) => isDeepStrictEqual(one, value)),
    )
    .map(([pointer]) => ({ pointer, detail: `${pointer} must equal a member of its list.` }));
}

/** The details of a new customer, whose login is checked for card numbers like the profile. Throws 400. */
export function newDetails({ login, ...profile }: JsonObject & { login: string }): CustomerDetails {
  const cards = cardNumberProblems({ login });
  if (cards.length > 0) throw invalid(cards);
  return patchedDetails(emptyDetails, profile);
}

/** The details after a merge patch; a removed wrapper object becomes empty. Throws 400. */
export function patchedDetails(details: CustomerDetails, patch: JsonObject): CustomerDetails {
  const cards = cardNumberProblems(patch);
  if (cards.length > 0) throw invalid(cards);
  const merged = applyMergePatch(details, patch) as JsonObject;
  for (const [name, empty] of Object.entries(emptyDetails))
    merged[name] = { ...empty, ...(merged[name] as object | undefined) };
  const parsed = CustomerDetails.safeParse(merged);
  if (!parsed.success) throw invalid(bodyProblems(parsed.error, merged));
  const problems = defaultProblems(parsed.data);
  if (problems.length > 0) throw invalid(problems);
  return parsed.data;
}

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

/** Rewrites the rows by which staff finds a customer by e-mail address. */
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

/** Writes the details if the profile is still at this revision; false after a concurrent change. */
export async function writeDetails(
  tx: Transaction,
  { tenantId, customerId }: Who,
  before: { revision: number; details: CustomerDetails },
  details: CustomerDetails,
): Promise<boolean> {
  const hasNewEmails = changedFields(before.details, details).includes("emailAddresses");
  // Voids password tokens, which were sent to the previous address.
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
