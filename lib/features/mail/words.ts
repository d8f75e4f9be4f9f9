/** The translations and date format of a language; English uses the texts of the source. */
interface MailLanguage {
  dates: string;
  find?: (text: string) => string | undefined;
}

/** The languages of mails, by name; English has no entry. */
export type MailLanguages = ReadonlyMap<string, MailLanguage>;

/** Writes a mail in one language. */
export interface Words {
  /** The translation of a source text, with its placeholders filled. The caller quotes user-supplied values. */
  say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  /** "2 December 2026 at 14:00 UTC" */
  instant: (at: Date) => string;
}

/** The words of the language that the user chose in the portal; English by default. */
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
