"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { SearchInput } from "@/components/ui/search-input";
import type { SearchEntry } from "@/lib/catalogue/docs-search";
import { prepare, search } from "./search-ranking";

type Index = ReturnType<typeof prepare>;

/** The index, loaded when somebody is about to search. */
function useIndex() {
  const [index, setIndex] = useState<Index>();
  const isAsked = useRef(false);
  const load = async () => {
    if (isAsked.current) return;
    isAsked.current = true;
    try {
      const response = await fetch("/docs/search.json");
      if (!response.ok) throw new Error(`The index was answered with ${response.status}.`);
      setIndex(prepare(await response.json()));
    } catch {
      // The next focus tries again.
      isAsked.current = false;
    }
  };
  return { index, load };
}

/** Arrow keys go from the field to the results and between them. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
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

/** Searches guides, operations and error codes in the browser. */
export function DocsSearch() {
  const { index, load } = useIndex();
  const [query, setQuery] = useState("");
  const results = index ? search(index, query) : [];
  const isOpen = query.trim() !== "" && index !== undefined;
  return (
    <search
      className="relative flex flex-1 basis-52 sm:max-w-80"
      onFocus={load}
      onKeyDown={(event) => {
        if (event.key === "Escape") setQuery("");
        moveFocus(event);
      }}
    >
      <SearchInput
        label="Search the documentation"
        placeholder="Search"
        value={query}
        onChange={(text) => {
          void load();
          setQuery(text);
        }}
      />
      <span role="status" className="sr-only">
        {isOpen ? `${results.length} results` : ""}
      </span>
      {isOpen ? (
        <div className="absolute top-10 right-0 left-0 z-40 max-h-[70dvh] overflow-y-auto rounded-card bg-bg p-1 shadow-float sm:w-104">
          {results.length > 0 ? (
            <ul aria-label="Results">
              {results.map((entry) => (
                <Result key={entry.href} entry={entry} onOpen={() => setQuery("")} />
              ))}
            </ul>
          ) : (
            <p className="px-3 py-2 text-muted">Nothing found. Try another word.</p>
          )}
        </div>
      ) : null}
    </search>
  );
}
