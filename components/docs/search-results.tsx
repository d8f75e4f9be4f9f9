import { useDeferredValue, useMemo } from "react";
import { classNames } from "@/components/ui/class-names";
import type { SearchEntry } from "@/lib/catalogue/docs-search";
import { prepare, search } from "./search-ranking";

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

/** What the search finds, below its field. Loaded with the first focus. */
export function SearchResults({ index, query, onOpen }: SearchResultsProps) {
  // The letter shows in the field before what it finds.
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
