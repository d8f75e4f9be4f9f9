import { useDeferredValue, useMemo } from "react";
import { classNames } from "@/components/ui/class-names";
import type { SearchEntry } from "@/lib/catalogue/docs-search";

export interface Prepared {
  entry: SearchEntry;
  title: string;
  text: string;
}

/** The entries in lower case, converted once instead of on each keystroke. */
export const prepare = (entries: SearchEntry[]): Prepared[] =>
  entries.map((entry) => ({
    entry,
    title: entry.title.toLowerCase(),
    text: `${entry.where} ${entry.text}`.toLowerCase(),
  }));

/** The rank of a query word in an entry: titles rank above texts, the beginning of a word above its middle. */
function scoreOf({ title, text }: Prepared, word: string): number {
  if (title === word) return 40;
  if (title.startsWith(word)) return 20;
  const inTitle = title.indexOf(word);
  if (inTitle > 0) return /[\s/._-]/.test(title[inTitle - 1] ?? "") ? 12 : 6;
  const inText = text.indexOf(word);
  if (inText === -1) return 0;
  return inText === 0 || /[\s/._-]/.test(text[inText - 1] ?? "") ? 3 : 1;
}

/** Guides rank above operations and errors that match equally well. */
const bonus = ({ entry }: Prepared) => (entry.where === "Guide" ? 2 : 0);

/** The best entries that contain every word of the query, at most `max`. */
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

/** Loads the index. Throws when it cannot be loaded. */
export async function loadIndex() {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`The index was answered with ${response.status}.`);
  return prepare(await response.json());
}

interface SearchResultsProps {
  index: ReturnType<typeof prepare>;
  query: string;
  onOpen: () => void;
}

function Result({ entry, onOpen }: { entry: SearchEntry; onOpen: () => void }) {
  return (
    <li>
      <a
        href={entry.href}
        onClick={onOpen}
        className="block rounded-control px-3 py-2 hover:bg-subtle focus-visible:bg-subtle focus-visible:-outline-offset-2"
      >
        <span
          className={classNames(
            "block font-medium wrap-anywhere",
            entry.where !== "Guide" && /[./]/.test(entry.title) && "font-mono text-meta",
          )}
        >
          {entry.title}
        </span>
        <span className="line-clamp-1 text-meta text-muted">
          {entry.where}
          {entry.text ? `: ${entry.text}` : ""}
        </span>
      </a>
    </li>
  );
}

/** The search results, below the field. Loaded with the first focus. */
export function SearchResults({ index, query, onOpen }: SearchResultsProps) {
  // The typed letter shows in the field before the results update.
  const asked = useDeferredValue(query, "");
  const results = useMemo(() => search(index, asked), [index, asked]);
  if (asked.trim() === "") return null;
  return (
    <div className="absolute top-10 right-0 left-0 z-40 max-h-[70dvh] overflow-y-auto rounded-card bg-bg p-1 shadow-float sm:w-104">
      <span role="status" className="sr-only">
        {results.length} results
      </span>
      {results.length > 0 ? (
        <ul aria-label="Results">
          {results.map((entry) => (
            <Result key={entry.href} entry={entry} onOpen={onOpen} />
          ))}
        </ul>
      ) : (
        <p className="px-3 py-2 text-muted">Nothing found. Try another word.</p>
      )}
    </div>
  );
}
