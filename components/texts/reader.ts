import type { Entry, Reader } from "./t";

/*
 * Functions that translate texts. The browser gets the text of these functions in a separate script, so that English
 * costs nothing: they must not use anything else of this module.
 */

export type Language = Pick<Reader, "language" | "direction" | "locale" | "dates">;

/** The texts of a language; `filled` are those that come with their placeholders filled, as from the API. */
export interface Dictionary {
  entries: Record<string, Entry>;
  filled: string[];
}

/** Creates a reader for the language of a dictionary. */
export function createReader(language: Language, { entries, filled }: Dictionary): Reader {
  let patterns: { pattern: RegExp; key: string }[] | undefined;
  const patternsOf = () =>
    filled
      .toSorted((a, b) => b.replace(/\{\w+\}/g, "").length - a.replace(/\{\w+\}/g, "").length)
      .map((key) => {
        const literal = key.split(/\{\w+\}/).map((part) => part.replace(/[^\w\s]/g, "\\$&"));
        return { pattern: new RegExp(`^${literal.join("(.+?)")}$`, "s"), key };
      });
  const entryOf = (text: string) => (Object.hasOwn(entries, text) ? entries[text] : undefined);
  const find = (text: string) => {
    const entry = entryOf(text);
    return typeof entry === "object" ? entry.other : entry;
  };
  return {
    ...language,
    find,
    findCounted: (text, count) => {
      const entry = entryOf(text);
      const form = new Intl.PluralRules(language.locale).select(count);
      return (typeof entry === "object" && entry[form]) || find(text);
    },
    recognize: (text) => {
      const known = find(text);
      if (known !== undefined) return known;
      patterns ??= patternsOf();
      for (const { pattern, key } of patterns) {
        const values = pattern.exec(text)?.slice(1);
        const entry = values && entries[key];
        if (!values || typeof entry !== "string") continue;
        const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        return entry.replace(
          /\{(\w+)\}/g,
          (all, name: string) => values[names.indexOf(name)] ?? all,
        );
      }
      return undefined;
    },
  };
}

/** Changes each text by code: text without brackets was not translated, and clipped text has no room for German. */
export function createPseudoReader(language: Language): Reader {
  const plain = "aceginorsuyACEGINORSUY";
  const accents = "áçéğíñóŕšúýÁÇÉĞÍÑÓŔŠÚÝ";
  const accented = (text: string) =>
    text.replace(/[A-Za-z]/g, (letter) => {
      const other = accents[plain.indexOf(letter)] ?? letter;
      return /[aeiou]/.test(letter) ? other + other : other;
    });
  const change = (text: string) =>
    (text.split("##")[0] ?? text)
      .split(/(\{\w+\}|<\/?\w+>)/)
      .map((part, index) => (index % 2 === 0 ? accented(part) : part))
      .join("");
  const find = (text: string) => `⟦${change(text)}⟧`;
  return { ...language, find, findCounted: find, recognize: find };
}
