import { z } from "zod";
import { boundedText, EmailAddress, Label, NewLogin } from "@/lib/protocol/formats";
import { checkBody } from "@/lib/protocol/validation";
import type { PersonRow } from "./person-rows";
import { ScimError } from "./scim-error";

/*
 * The supported attributes of a user, and their values in a request. Names are case-insensitive. Unknown attributes are dropped before
 * validation, because providers send far more than the service stores.
 */

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";

/** Names in lower case, with those of the parts of a complex attribute. */
const names: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  username: {},
  externalid: {},
  displayname: {},
  active: {},
  name: { formatted: "formatted", givenname: "givenName", familyname: "familyName" },
  emails: { value: "value", type: "type", primary: "primary" },
};

const spelling: Readonly<Record<string, string>> = {
  username: "userName",
  externalid: "externalId",
  displayname: "displayName",
  active: "active",
  name: "name",
  emails: "emails",
};

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The canonical name of an attribute; undefined for one that is not stored. */
export const attributeNamed = (name: string): string | undefined =>
  own(spelling, name.toLowerCase());

/** The canonical name of a sub-attribute; undefined for one that is not stored. */
export function partNamed(attribute: string, part: string): string | undefined {
  const parts = own(names, attribute.toLowerCase());
  return parts && own(parts, part.toLowerCase());
}

type Plain = Record<string, unknown>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown) => value === null || value === undefined || value === "";

function knownParts(attribute: string, value: unknown): unknown {
  if (!isPlain(value)) return value;
  const parts = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const known = partNamed(attribute, name);
    return known === undefined || isAbsent(part) ? [] : [[known, part]];
  });
  return Object.fromEntries(parts);
}

/** The value of an attribute with its known parts only. */
export const knownValue = (attribute: string, value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => knownParts(attribute, one))
    : knownParts(attribute, value);

/** The attributes of a request that are stored. */
export function knownAttributes(given: Plain): Plain {
  const kept = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const attribute = attributeNamed(name);
    return attribute === undefined || isAbsent(value)
      ? []
      : [[attribute, knownValue(attribute, value)]];
  });
  return Object.fromEntries(kept);
}

/** A boolean, also as text: Entra ID sends "True" and "False". */
export const Truth = z
  .union([z.boolean(), boundedText(5)])
  .transform((value) => (typeof value === "string" ? value.toLowerCase() : String(value)))
  .refine((text) => text === "true" || text === "false", { message: "must be true or false" })
  .transform((text) => text === "true");

const Person = z.object({
  userName: NewLogin,
  externalId: boundedText(256).optional(),
  displayName: Label.optional(),
  name: z
    .object({
      formatted: Label.optional(),
      givenName: Label.optional(),
      familyName: Label.optional(),
    })
    .default({}),
  emails: z
    .array(
      z.object({
        value: EmailAddress,
        type: boundedText(64).optional(),
        primary: Truth.optional(),
      }),
    )
    .max(20)
    .default([]),
  active: Truth.default(true),
});

export type Person = z.infer<typeof Person>;

/** Throws invalidValue. */
export function readPerson(attributes: Plain): Person {
  const { emails } = attributes;
  // A single address may be sent without a list.
  const given = isPlain(emails) ? { ...attributes, emails: [emails] } : attributes;
  const checked = checkBody(Person, given);
  if (!checked.problems) return checked.value as Person;
  const [first] = checked.problems;
  throw new ScimError(
    400,
    "invalidValue",
    first?.detail.replace(/^\//, "") ?? "The attributes are not valid.",
  );
}

/**
 * The address to store: the last one marked as primary, or else the one of type work, or the first. Without any, the user keeps the current
 * address.
 */
export function addressOf({ emails, userName }: Person, before?: PersonRow): string {
  const chosen =
    emails.findLast(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === "work") ??
    emails[0];
  if (chosen) return chosen.value;
  if (before) return before.emailAddress;
  const { success, data } = EmailAddress.safeParse(userName);
  if (success) return data;
  throw new ScimError(400, "invalidValue", "emails is required where userName is no address.");
}

const composed = ({ givenName, familyName }: { givenName?: unknown; familyName?: unknown }) =>
  [givenName, familyName].filter((part) => typeof part === "string").join(" ");

/** The display name. For an existing user, a displayName or formatted name that differs from the current one wins. */
export function nameOf(person: Person, before?: PersonRow): string {
  const { displayName, name, userName } = person;
  const parts = composed(name);
  if (before === undefined) return displayName ?? name.formatted ?? (parts || userName);
  if (displayName !== undefined && displayName !== before.name) return displayName;
  if (name.formatted !== undefined && name.formatted !== before.name) return name.formatted;
  const { givenName, familyName } = before;
  return before.name === composed({ givenName, familyName }) && parts ? parts : before.name;
}
