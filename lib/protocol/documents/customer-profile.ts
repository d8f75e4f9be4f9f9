import { z } from "zod";
import type { Problem } from "@/lib/protocol/errors";
import {
  boundedText,
  EmailAddress as Email,
  InstantAnswer,
  isDay,
  listOf,
} from "@/lib/protocol/formats";
import { perProcess } from "@/lib/protocol/per-process";

/** Code points; a text never has more of them than code units. */
const isAtMost = (value: string, max: number) => value.length <= max || [...value].length <= max;
const text = (max: number) => {
  const rule = `must have at most ${max} characters`;
  return boundedText(2 * max, rule)
    .refine((value) => isAtMost(value, max), { message: rule })
    .meta({ maxLength: max });
};
const Text = text(256);

const today = () => new Date().toISOString().slice(0, 10);

/** An existing day that is not in the future. */
const birthDateRule = "must be a day that is past, such as 1990-12-31";
export const BirthDate = boundedText(10, birthDateRule)
  .refine((day) => isDay(day) && day <= today(), { message: birthDateRule })
  .meta({ format: "date", example: "1990-12-31" });

export const Name = z
  .strictObject({
    first: Text.optional(),
    last: Text.optional(),
    middleInitial: text(16).optional(),
    salutation: text(64).optional(),
    suffix: text(64).optional(),
  })
  .meta({ id: "Name" });

export const Address = z
  .strictObject({
    businessName: Text.optional(),
    city: Text.optional(),
    country: Text.optional(),
    county: Text.optional(),
    label: Text.optional(),
    name: Name.optional(),
    phoneNumber: text(64).optional(),
    poBox: z.boolean().optional(),
    postalCode: text(32).optional(),
    stateOrRegion: Text.optional(),
    street1: Text.optional(),
    street2: Text.optional(),
  })
  .meta({ id: "Address" });

/** Whether 12 to 19 digits have a valid check digit. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const doubled = [...digits]
    .reverse()
    .map((digit, index) =>
      index % 2 === 0 ? Number(digit) : (Number(digit) * 2) % 9 || Number(digit),
    );
  return doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}

const cardRule = "must not contain a card's full number: no full number is kept here";

/** A payment token may contain such digits, but not consist of them. */
const token = text(512)
  .refine((value) => !isCardNumber(value.replace(/[\s.-]/g, "")), { message: cardRule })
  .meta({ description: "Payment token" });

/** Caches digits seen so far, of the few hundred in Unicode. */
const digitValues = perProcess("digit-values", () => new Map<string, number>());

/** The value of a decimal digit of any script: each script has its ten digits in sequence, from 0 on. */
function digitValue(character: string): number {
  const known = digitValues().get(character);
  if (known !== undefined) return known;
  const at = character.codePointAt(0) ?? 0;
  let zero = at;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  const value = (at - zero) % 10;
  digitValues().set(character, value);
  return value;
}

/** Whether groups from here on form 13 to 19 digits that pass the check. The last one decides which double, so both sums are kept. */
function beginsCardNumber(groups: readonly number[][], start: number): boolean {
  let [count, evenDoubled, oddDoubled] = [0, 0, 0];
  for (let end = start; count < 19 && end < groups.length; end += 1) {
    for (const digit of groups[end] ?? []) {
      const doubled = (digit * 2) % 9 || digit;
      evenDoubled += count % 2 === 0 ? doubled : digit;
      oddDoubled += count % 2 === 0 ? digit : doubled;
      count += 1;
    }
    const sum = count % 2 === 0 ? evenDoubled : oddDoubled;
    if (count > 12 && count <= 19 && sum % 10 === 0) return true;
  }
  return false;
}

/** Whether the text contains a card number: groups of digits with any characters except letters between them. */
export function holdsCardNumber(value: string): boolean {
  for (const [run] of value.matchAll(/\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){11,}/gu)) {
    const groups = [...run.matchAll(/\p{Nd}+/gu)].map(([group]) => [...group].map(digitValue));
    if (isCardNumber(groups.flat().join(""))) return true;
    // A date or a check value may follow. Few card numbers have only 12 digits, and many parts of other numbers do.
    if (groups.some((_, start) => beginsCardNumber(groups, start))) return true;
  }
  return false;
}

/** Fields that may contain as many digits: 12 to 15 digits of a telephone number pass the check by chance. */
const mayHoldDigits = ["token", "phoneNumber", "id", "defaultLocationId"];

/**
 * Names that a shop or a customer chose. Customer numbers, dates and times give them 12 or more digits, of which one in ten passes the
 * check by chance: a name counts as a card number only if it consists of one, of an existing card network.
 */
const names = ["login", "emailAddress", "address", "email"];

function isNamedAsCard(name: string): boolean {
  const [local = ""] = name.split("@");
  const digits = [...local]
    .filter((one) => /\p{Nd}/u.test(one))
    .map(digitValue)
    .join("");
  return !/\p{L}/u.test(local) && /^[2-6]\d{12}/.test(digits) && isCardNumber(digits);
}

/** The texts of a profile, or of a part or a patch of one, that contain a full card number. Rows stored earlier are not checked. */
export function cardNumberProblems(
  value: unknown,
  pointer = "",
  holds = holdsCardNumber,
): Problem[] {
  if (typeof value === "string")
    return holds(value) ? [{ pointer, detail: `${pointer} ${cardRule}.` }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    mayHoldDigits.includes(name)
      ? []
      : cardNumberProblems(
          member,
          `${pointer}/${name}`,
          names.includes(name) && typeof member === "string" ? isNamedAsCard : holdsCardNumber,
        ),
  );
}

export const Card = z
  .strictObject({
    cardNumber: z
      .string()
      .regex(/^\d{1,4}$/, {
        message: "must be at most the last 4 digits: a full number is never kept here",
      })
      .meta({ description: "Trailing digits only" })
      .optional(),
    cardType: text(64).optional(),
    expirationMonth: z
      .string()
      .regex(/^(?:0?[1-9]|1[0-2])$/, { message: "must be a month from 1 to 12" })
      .optional(),
    expirationYear: z
      .string()
      .regex(/^\d{2}(?:\d{2})?$/, { message: "must be a year of 2 or 4 digits" })
      .optional(),
    label: Text.optional(),
    token: token.optional(),
  })
  .meta({ id: "Card" });

export const EmailAddress = z
  .strictObject({ address: Email, label: Text.optional() })
  .meta({ id: "EmailAddress" });

/** More than any customer has, and few enough for a profile to fit one row. */
const list = <Item extends z.ZodType>(item: Item) => listOf(item, 100);
const CatalogByEmail = z.strictObject({ email: Email, label: Text.optional() });

export const Addresses = z.strictObject({
  addresses: list(Address),
  defaultBilling: Address.optional(),
  defaultShipping: Address.optional(),
});
export const CreditCards = z.strictObject({ cards: list(Card), default: Card.optional() });
export const EmailAddresses = z.strictObject({
  addresses: list(EmailAddress),
  default: EmailAddress.optional(),
});
export const Subscriptions = z.strictObject({
  addressCatalogs: list(z.strictObject({ address: Address, label: Text.optional() })),
  emailCatalogs: list(CatalogByEmail),
  emailNewsletters: list(CatalogByEmail),
});

/** The fields of the profile that a customer may change. The four wrappers are always present. */
export const CustomerDetails = z.strictObject({
  addresses: Addresses,
  birthDate: BirthDate.optional(),
  creditCards: CreditCards,
  defaultLocationId: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { message: "must be a UUID" })
    .optional(),
  emailAddresses: EmailAddresses,
  gender: z
    .string()
    .regex(/^[A-Za-z]$/, { message: "must be one letter" })
    .optional(),
  name: Name.optional(),
  subscriptions: Subscriptions,
});

export type CustomerDetails = z.infer<typeof CustomerDetails>;

/** The founding document's customer profile, with its order of fields. */
export const CustomerProfile = z
  .object({
    addresses: Addresses,
    birthDate: z.string().meta({ format: "date" }).optional(),
    creditCards: CreditCards,
    defaultLocationId: z.string().optional(),
    emailAddresses: EmailAddresses,
    gender: z.string().optional(),
    id: z.string(),
    login: z.string(),
    name: Name.optional(),
    registrationDate: InstantAnswer,
    siteIds: z.array(z.string()),
    subscriptions: Subscriptions,
  })
  .meta({ id: "CustomerProfile" });

export type CustomerProfile = z.infer<typeof CustomerProfile>;

/** The wrappers of an empty profile. */
export const emptyDetails = {
  addresses: { addresses: [] },
  creditCards: { cards: [] },
  emailAddresses: { addresses: [] },
  subscriptions: { addressCatalogs: [], emailCatalogs: [], emailNewsletters: [] },
} satisfies CustomerDetails;
