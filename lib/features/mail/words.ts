/** What puts the texts of a language into it; English has them as they stand in the source. */
interface MailLanguage {
  dates: string;
  find?: (text: string) => string | undefined;
}

/** The languages that mails are written in, by their names; English has no entry. */
export type MailLanguages = ReadonlyMap<string, MailLanguage>;

/** Writes a mail in one language. */
export interface Words {
  /** A text that stands in the source, with its places filled. What people chose is quoted by the caller. */
  say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  /** "2 December 2026 at 14:00 UTC" */
  instant: (at: Date) => string;
}

/** The words of the language that somebody chose in the portal; English for nobody's choice. */
export function wordsIn(languages: MailLanguages, language: string | undefined): Words {
  const { dates, find } = languages.get(language ?? "") ?? { dates: "en-GB", find: undefined };
  const written = new Intl.DateTimeFormat(dates, {
    ...{ dateStyle: "long", timeStyle: "short", timeZone: "UTC" },
  });
  return {
    say: (text, values = {}) =>
      (find?.(text) ?? text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)),
    instant: (at) => `${written.format(at)} UTC`,
  };
}
