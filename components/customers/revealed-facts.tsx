import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import type { RevealedCustomer } from "@/lib/features/customers/staff-contract";

type Address = NonNullable<RevealedCustomer["addresses"]>["addresses"][number];
type Name = NonNullable<RevealedCustomer["name"]>;

const words = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
const nameWords = ({ salutation, first, middleInitial, last, suffix }: Name) =>
  words(salutation, first, middleInitial, last, suffix);

function addressWords({
  label,
  name,
  businessName,
  street1,
  street2,
  poBox,
  postalCode,
  city,
  county,
  stateOrRegion,
  country,
  phoneNumber,
}: Address) {
  const lines = [
    name && nameWords(name),
    businessName,
    street1,
    street2,
    words(postalCode, city),
    words(county, stateOrRegion),
    country,
  ];
  const text = [...lines.filter(Boolean), poBox ? t("P.O. box") : "", phoneNumber]
    .filter(Boolean)
    .join(", ");
  return `${label ? `${label}: ` : ""}${text || t("empty")}`;
}

/** One line for each entry of a list. */
function Lines({ lines }: { lines: string[] }) {
  if (lines.length === 0) return t("none");
  return (
    <ul className="flex flex-col gap-1">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const labelled = (value: string, label: string | undefined) =>
  label ? `${label}: ${value}` : value;

type Card = NonNullable<RevealedCustomer["creditCards"]>["cards"][number];
type Subscriptions = NonNullable<RevealedCustomer["subscriptions"]>;

const cardWords = ({ cardType, cardNumber, expirationMonth, expirationYear, label }: Card) =>
  labelled(
    words(cardType, cardNumber && `•••• ${cardNumber}`, words(expirationMonth, expirationYear)),
    label,
  );

const subscriptionWords = (subscriptions: Subscriptions) => [
  ...subscriptions.emailNewsletters.map(({ email, label }) =>
    t("Newsletter {address}", { address: labelled(email, label) }),
  ),
  ...subscriptions.emailCatalogs.map(({ email, label }) =>
    t("Catalog {address}", { address: labelled(email, label) }),
  ),
  ...subscriptions.addressCatalogs.map(({ address, label }) =>
    t("Printed catalog {address}", { address: labelled(addressWords(address), label) }),
  ),
];

const lines = (given: string[] | undefined) => given && <Lines lines={given} />;

/** The revealed values, under the names in the masked profile. */
export function revealedFacts(revealed: RevealedCustomer): { name: string; value: ReactNode }[] {
  const { name, emailAddresses, addresses, creditCards, subscriptions } = revealed;
  const emails = emailAddresses?.addresses.map(({ address, label }) => labelled(address, label));
  const found: [string, ReactNode][] = [
    [t("Login"), revealed.login],
    [t("Name"), name && nameWords(name)],
    [t("E-mail addresses"), lines(emails)],
    [t("Birth date"), revealed.birthDate],
    [t("Gender"), revealed.gender],
    [t("Addresses"), lines(addresses?.addresses.map(addressWords))],
    [t("Cards"), lines(creditCards?.cards.map(cardWords))],
    [t("Default location"), revealed.defaultLocationId],
    [t("Subscriptions"), lines(subscriptions && subscriptionWords(subscriptions))],
  ];
  return found.flatMap(([label, value]) => (value === undefined ? [] : [{ name: label, value }]));
}
