import { foundAlready } from "./item";

const letterMark = "letter:";

/** The keyword of an item that a letter stands for: where that is all that was typed, it is listed once, as the shortcut. */
export const byLetter = (letter: string) => `${letterMark}${letter}`;

/** Every word typed must occur, except in what the service or another search has found. 0 hides an item. */
export function matchOf(value: string, search: string, keywords: string[] = []): 0 | 1 {
  if (keywords.includes(foundAlready)) return 1;
  if (keywords.includes(byLetter(search.trim()))) return 0;
  const said = keywords.filter((keyword) => !keyword.startsWith(letterMark));
  const text = [value, ...said].join(" ").toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word)) ? 1 : 0;
}
