import { type Caller, permissionScope } from "@/lib/access/caller";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";

/** Replaces a value that is fully masked. */
export const maskPlaceholder = "•••";
const first = (text: string) => [...text][0] ?? "";

/** The first character only, which is enough to distinguish two customers. */
const masked = (text: string) => (text === "" ? "" : `${first(text)}${maskPlaceholder}`);

/** The first characters of mailbox and domain, and the top-level domain. */
export function maskedEmail(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${masked(address.slice(0, at))}@${masked(domain)}${domain.slice(domain.lastIndexOf("."))}`;
}

/** Many customers sign in with their e-mail address. */
export const maskedLogin = (login: string) =>
  login.lastIndexOf("@") > 0 ? maskedEmail(login) : masked(login);

export function maskedName({ name }: CustomerDetails): string | null {
  const parts = [name?.first, name?.last].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? null : parts.map((part) => masked(part ?? "")).join(" ");
}

const withoutToken = <Card extends { token?: string | undefined }>({ token: _, ...card }: Card) =>
  card;

/** Cards as staff may see them, without payment tokens. */
export const withoutTokens = ({
  cards,
  default: preferred,
}: CustomerDetails["creditCards"]): CustomerDetails["creditCards"] => ({
  cards: cards.map(withoutToken),
  ...(preferred ? { default: withoutToken(preferred) } : {}),
});

type Rights = Pick<Caller, "roles" | "keyRestrictions">;

/** The sites among the given ones at which the caller lacks the permission. A tenant-level role has it at every site. */
export function sitesWithout(
  { roles, keyRestrictions }: Rights,
  permission: Permission,
  siteIds: readonly string[],
): string[] {
  return siteIds.filter(
    (siteId) => !permissionScope({ roles, keyRestrictions, siteId }, permission),
  );
}

/**
 * Requires `customer.manage` at every site of a customer: a lock, the end of sessions, a password token, revealed data and
 * erasure take effect at all of them. Throws 403.
 */
export function assertManagesEverySite(caller: Rights, siteIds: readonly string[]): void {
  const missing = sitesWithout(caller, "customer.manage", siteIds);
  if (missing.length === 0) return;
  throw new ApiError(
    "customer.other-sites",
    `The customer also belongs to ${missing.join(", ")}. This needs customer.manage at each of the customer's sites.`,
    "customer.manage",
  );
}
