import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { durationSeconds } from "@/lib/protocol/durations";
import { hasVisibleCharacter, textOf, withoutIgnorable } from "@/lib/protocol/text";

const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/;
const instantPattern =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Whether the text is an existing day, as YYYY-MM-DD (RFC 3339 full-date), from the year 1 on: the store has no year 0. */
export function isDay(text: string): boolean {
  const match = dayPattern.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year >= 1 && day >= 1 && day <= days;
}

/** Parses an RFC 3339 date-time of any offset. A leap second is the first instant of the next minute. Undefined if it is invalid. */
export function parseInstant(text: string): Date | undefined {
  const match = instantPattern.exec(text);
  if (!match?.[1] || !isDay(match[1])) return undefined;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4])];
  const [offsetHour, offsetMinute] = [Number(match[7] ?? 0), Number(match[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59)
    return undefined;
  const offset = (match[6] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const instant = new Date(`${match[1]}T00:00:00.000Z`);
  // Truncated as text: as a number, many nines would round up to the next second.
  const milliseconds = Number((match[5] ?? "").slice(1, 4).padEnd(3, "0"));
  instant.setUTCHours(hour, minute - offset, second, milliseconds);
  const isLeapSecond = second === 60;
  if (isLeapSecond && (instant.getUTCHours() !== 0 || instant.getUTCMinutes() !== 0))
    return undefined;
  // Four digits of a year that the store supports, too: it has no year 0.
  return instant >= firstInstant && instant <= lastInstant ? instant : undefined;
}

const firstInstant = new Date("0001-01-01T00:00:00.000Z");
const lastInstant = new Date("9999-12-31T23:59:59.999Z");

/** The instant this many milliseconds later, at most the last one that `parseInstant` accepts. */
export const later = (instant: Date, ms: number): Date =>
  new Date(
    Math.min(lastInstant.getTime(), Math.max(firstInstant.getTime(), instant.getTime() + ms)),
  );

/** The instant this many milliseconds earlier, at least the first one that `parseInstant` accepts. */
export const earlier = (instant: Date, ms: number): Date => later(instant, -ms);

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const localPattern = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*")$`,
);
const domainPattern =
  /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** An address as it is stored: without white space around it, and its domain in ASCII (RFC 5891). An ASCII domain stays as typed. */
export function normalEmailAddress(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@") + 1;
  const domain = trimmed.slice(at);
  return /\P{ASCII}/u.test(domain) ? trimmed.slice(0, at) + domainToASCII(domain) : trimmed;
}

/** Whether the text is a mailbox of RFC 5321: dot-string or quoted local part, domain or address literal. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || local.length > 64 || text.length > 254 || !localPattern.test(local)) return false;
  const literal = /^\[(IPv6:)?(.+)\]$/.exec(domain);
  return literal ? isIP(literal[2] ?? "") === (literal[1] ? 6 : 4) : domainPattern.test(domain);
}

/**
 * A list of at most this many items, counted before any of them is checked: a longer list is rejected unread,
 * whereas `z.array(item).max(most)` would first check every item.
 */
export function listOf<Item extends z.ZodType>(item: Item, max: number, least = 0) {
  const counted = z.transform<z.input<Item>[], z.input<Item>[]>((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.issues.push({
      code: "too_big",
      origin: "array",
      maximum: max,
      inclusive: true,
      input: value,
      continue: false,
    });
    return z.NEVER;
  });
  return z.pipe(counted, least > 0 ? z.array(item).min(least).max(max) : z.array(item).max(max));
}

/** Text of at most this many code units: a longer text reaches no further check or transformation. */
export const boundedText = (max: number, error?: string) =>
  z.string().max(max, { abort: true, ...(error && { error }) });

const maxInstantLength = 64;
const maxDurationLength = 64;

/** Parses an RFC 3339 instant of any offset into a Date for the services; services return `toISOString()`: UTC and milliseconds. */
export const Instant = boundedText(maxInstantLength)
  .transform((text, context) => {
    const instant = parseInstant(text);
    if (instant) return instant;
    context.addIssue({
      code: "custom",
      message: "must be a date-time such as 2026-12-31T23:59:59Z",
    });
    return z.NEVER;
  })
  .meta({ type: "string", format: "date-time", maxLength: maxInstantLength });

/** A century: the store can add and subtract that much from any current instant. */
const maxSeconds = 36_525 * 86_400;

/** Seconds of an ISO 8601 duration of weeks, or of days, hours, minutes and seconds: at most a century. */
export const Duration = boundedText(maxDurationLength)
  .transform((text, context) => {
    const seconds = durationSeconds(text);
    if (seconds !== undefined && seconds <= maxSeconds) return seconds;
    const message =
      seconds === undefined
        ? "must be a duration such as P1D or PT12H"
        : "must be a duration of at most P36525D";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({ type: "string", format: "duration", maxLength: maxDurationLength });

/** An instant in the format of every response. */
export const InstantAnswer = z
  .string()
  .meta({ format: "date-time", example: "2026-12-31T23:59:59.000Z" });

const emailRule = "must be an e-mail address";
const localPartRule =
  "must be an e-mail address with letters of ASCII before the @: others are not supported";

/** More than the 254 characters of an address, because surrounding white space is trimmed. */
export const EmailAddress = boundedText(512, emailRule)
  .transform((text, context) => {
    const address = normalEmailAddress(text);
    if (isEmailAddress(address)) return address;
    const isForeign = /\P{ASCII}/u.test(address.slice(0, address.lastIndexOf("@")));
    context.addIssue({ code: "custom", message: isForeign ? localPartRule : emailRule });
    return z.NEVER;
  })
  .meta({ type: "string", format: "email", maxLength: 254, ...textOf("trimmed") });

/** An existing password. It is never altered: it may not contain what hashes cannot distinguish. */
export const PasswordText = z.string().min(1).max(4096).meta(textOf("secret"));

/** The limits of its length are documented; the rule for new passwords checks them together with its other requirements. */
const newPassword = (least: number) =>
  z
    .string()
    .max(4096)
    .meta({
      minLength: least,
      maxLength: 128,
      ...textOf("secret"),
      description: `At least ${least} characters: not common, not a sequence, without the login or a name.`,
    });
export const NewPasswordText = newPassword(15);
export const NewCustomerPasswordText = newPassword(8);

/** For fields that show uses rather than changes: an ETag does not cover them, so that a concurrent use rejects no write. */
export const untagged = { "x-untagged": true } as const;

/** Tenant and site ids. */
export const slugPattern = /^[a-z0-9](?:-?[a-z0-9])*$/;
export const isSlug = (text: string) => text.length <= 63 && slugPattern.test(text);
const slugRule = "must be 1 to 63 lower-case letters, digits and single hyphens";
export const Slug = boundedText(63, slugRule)
  .refine(isSlug, { message: slugRule })
  .meta({ pattern: slugPattern.source, minLength: 1, maxLength: 63 });

/** A display text of 1 to `max` code points: trimmed, NFC, with a visible character. */
export const label = (max: number) => {
  const message = `must have 1 to ${max} characters, at least one of them visible`;
  return boundedText(8 * max, message)
    .transform((text) => text.trim().normalize("NFC"))
    .refine((text) => hasVisibleCharacter(text) && [...text].length <= max, {
      message,
      abort: true,
    })
    .meta({ type: "string", minLength: 1, maxLength: max, ...textOf("trimmed") });
};

/** Names that people choose. */
export const Label = label(128);

/** The login of a new user: it must not pass for another one by invisible characters. */
export const NewLogin = Label.refine((login) => withoutIgnorable(login) === login, {
  message: "must not contain invisible characters",
}).refine((login) => !/[^\S ]| {2}/.test(login), {
  message: "must not contain any white space but single spaces",
});

const withLineFeeds = (text: string) => text.replaceAll("\r\n", "\n");

/** A display text that may have several lines and may be empty. */
export const lines = (max: number) =>
  boundedText(max)
    .transform(withLineFeeds)
    .meta({ type: "string", maxLength: max, ...textOf("lines") });

/** The reason for an action, as a text that may have several lines. */
export const Reason = boundedText(2048)
  .transform((text) => withLineFeeds(text).trim())
  .refine((text) => hasVisibleCharacter(text) && [...text].length <= 256, {
    message: "must have 1 to 256 characters, at least one of them visible",
  })
  .meta({ type: "string", minLength: 1, maxLength: 256, ...textOf("lines") });

/** A search or filter text: trimmed like the values it is compared with; only white space means no search. */
export const searchText = (max: number) =>
  boundedText(max)
    .transform((text) => text.trim().normalize("NFC") || undefined)
    .meta({ type: "string", maxLength: max, ...textOf("trimmed") });

export const SearchText = searchText(256);

/**
 * The comparison form of a label: invisible characters are removed, and case is folded here, never in the store, whose locale may
 * differ. ASCII labels, nearly all of them, cost one test in addition to lower-casing.
 */
export const labelKey = (label: string): string =>
  /^[!-~]*$/.test(label)
    ? label.toLowerCase()
    : withoutIgnorable(label).trim().normalize("NFC").toLowerCase();
