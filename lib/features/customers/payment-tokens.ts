import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";

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
