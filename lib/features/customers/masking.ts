import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";

/** Replaces a value of which nothing is shown. */
export const maskPlaceholder = "•••";
const first = (text: string) => [...text][0] ?? "";

/** The first character only, which is enough to distinguish two customers. */
const masked = (text: string) => (text === "" ? "" : `${first(text)}${maskPlaceholder}`);

/** First characters of mailbox and domain, and the domain's end. */
export function maskedEmail(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${masked(address.slice(0, at))}@${masked(domain)}${domain.slice(domain.lastIndexOf("."))}`;
}

/** Many log in with their e-mail address. */
export const maskedLogin = (login: string) =>
  login.lastIndexOf("@") > 0 ? maskedEmail(login) : masked(login);

export function maskedName({ name }: CustomerDetails): string | null {
  const parts = [name?.first, name?.last].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? null : parts.map((part) => masked(part ?? "")).join(" ");
}

const withoutToken = <Card extends { token?: string | undefined }>({ token: _, ...card }: Card) =>
  card;

/** Cards as staff may see them: payment tokens are nobody's to see. */
export const withoutTokens = ({
  cards,
  default: preferred,
}: CustomerDetails["creditCards"]): CustomerDetails["creditCards"] => ({
  cards: cards.map(withoutToken),
  ...(preferred ? { default: withoutToken(preferred) } : {}),
});
