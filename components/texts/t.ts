/*
 * Texts in the reader's language. The English text is the key and is written where it is shown:
 *
 *     t("Revoke key")
 *     t("Lock {name}", { name: user.name })
 *     plural(count, "1 user", "{count} users")
 *     rich("Used <b>{when}</b>", { when: <Instant at={at} />, b: (inner) => <b>{inner}</b> })
 *
 * What follows ## distinguishes two meanings and is not shown: t("Open##state"). Constants of a module hold a message,
 * `msg("Light")`, which `t` puts into the reader's language when it is shown: a constant is created once, for all readers.
 */

/** The values for the placeholders of a text. */
export type Values = Readonly<Record<string, string | number>>;

/** A translation; one that counts has a text for each form that its language has. */
export type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/** Translates texts into one language; English uses the texts of the source. */
export interface Reader {
  /** The attribute `lang` of the element html. */
  language: string;
  direction: "ltr" | "rtl";
  /** The locale of numbers, and of dates unless the user chose another. */
  locale: string;
  dates: string;
  /** The script that gives the browser the same reader. */
  script?: string;
  find?: (text: string) => string | undefined;
  /** A text with a count, in the plural form of the number. */
  findCounted?: (text: string, count: number) => string | undefined;
  /** Also finds a text with filled placeholders, as the API returns it. */
  recognize?: (text: string) => string | undefined;
}

declare const marked: unique symbol;

/** A text of the catalogue that is not translated yet. */
export interface Message {
  readonly [marked]: true;
}

/** Only a literal of the source can be in a catalogue. */
type Literal<Text extends string> = string extends Text ? never : Text;

const english: Reader = { language: "en", direction: "ltr", locale: "en", dates: "en-GB" };

type Register = Map<string, { getStore(): Reader | undefined }> | undefined;

/**
 * The reader of the request on the server, of the document in the browser. It is stored in the register of
 * lib/protocol/per-process.ts: Next has a copy of this module in each bundle.
 */
export function reader(): Reader {
  const place = Symbol.for("gatehouse.per-process");
  const register = (globalThis as { [place]?: Register })[place];
  return register?.get("reader")?.getStore() ?? english;
}

const withoutMeaning = (text: string) => text.replace(/##.*/, "");

const fill = (text: string, values: Values | undefined) =>
  values ? text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : text;

/** Marks a text of a constant; `t` shows it. */
export const msg = <Text extends string>(text: Literal<Text>): Message =>
  text as unknown as Message;

/** A text in the reader's language. */
export function t<Text extends string>(text: Literal<Text> | Message, values?: Values): string {
  const key = text as string;
  return fill(reader().find?.(key) ?? withoutMeaning(key), values);
}

/** A text with a count; `{count}` is the number, formatted by the values or by default. `other` is the key. */
export function plural<One extends string, Other extends string>(
  count: number,
  one: Literal<One>,
  other: Literal<Other>,
  values?: Values,
): string {
  const own = withoutMeaning(count === 1 ? one : other);
  return fill(reader().findCounted?.(other, count) ?? own, { count, ...values });
}

/** Options of a constant, with their labels in the reader's language. */
export const labelled = <Option extends { label: Message }>(options: readonly Option[]) =>
  options.map((option) => ({ ...option, label: t(option.label) }));

/** Translates a text from data that the product defines: a message of the API, the name of a role. Others are unchanged. */
export const translated = (text: string): string => reader().recognize?.(text) ?? text;

/** A number in the reader's locale. */
export const number = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(reader().locale, options);
