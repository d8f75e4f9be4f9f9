import type { SearchEntry } from "@/lib/catalogue/docs-search";

export interface Prepared {
  entry: SearchEntry;
  title: string;
  text: string;
}

/** The entries in lower case, so that a keystroke need not do it. */
export const prepare = (entries: SearchEntry[]): Prepared[] =>
  entries.map((entry) => ({
    entry,
    title: entry.title.toLowerCase(),
    text: `${entry.where} ${entry.text}`.toLowerCase(),
  }));

/** Where a word of the query is found: a title counts more than a text, the beginning of a word more than its middle. */
function scoreOf({ title, text }: Prepared, word: string): number {
  if (title === word) return 40;
  if (title.startsWith(word)) return 20;
  const inTitle = title.indexOf(word);
  if (inTitle > 0) return /[\s/._-]/.test(title[inTitle - 1] ?? "") ? 12 : 6;
  const inText = text.indexOf(word);
  if (inText === -1) return 0;
  return inText === 0 || /[\s/._-]/.test(text[inText - 1] ?? "") ? 3 : 1;
}

/** Guides come before operations and errors that match as well. */
const bonus = ({ entry }: Prepared) => (entry.where === "Guide" ? 2 : 0);

/** The best entries that hold every word of the query, at most `max`. */
export function search(index: Prepared[], query: string, max = 8): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  const found = index.flatMap((one) => {
    const scores = words.map((word) => scoreOf(one, word));
    if (scores.includes(0)) return [];
    return [{ one, score: scores.reduce((sum, score) => sum + score, bonus(one)) }];
  });
  return found
    .sort((a, b) => b.score - a.score || a.one.title.length - b.one.title.length)
    .slice(0, max)
    .map(({ one }) => one.entry);
}
