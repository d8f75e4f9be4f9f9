import type { Shopper } from "@/lib/access/shopper";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";

/** What is known about a customer's account and must not make up the password. */
export function passwordContext(
  { tenantId, siteId }: Pick<Shopper, "tenantId" | "siteId">,
  login: string,
  { name, emailAddresses }: Pick<CustomerDetails, "name" | "emailAddresses">,
): string[] {
  const addresses = emailAddresses.addresses.slice(0, 5).map(({ address }) => address);
  return [login, name?.first ?? "", name?.last ?? "", ...addresses, tenantId, siteId];
}
