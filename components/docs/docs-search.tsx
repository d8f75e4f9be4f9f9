"use client";

import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { SearchInput } from "@/components/ui/search-input";

type Show = (query: string, onOpen: () => void) => ReactNode;

/** The results and their index, loaded when somebody is about to search: most readers of a page are not. */
function useResults() {
  const [show, setShow] = useState<{ results: Show }>();
  const isAsked = useRef(false);
  const load = async () => {
    if (isAsked.current) return;
    isAsked.current = true;
    try {
      const { loadIndex, SearchResults } = await import("./search-results");
      const index = await loadIndex();
      const results: Show = (query, onOpen) => (
        <SearchResults index={index} query={query} onOpen={onOpen} />
      );
      setShow({ results });
    } catch {
      // The next focus tries again.
      isAsked.current = false;
    }
  };
  return { show, load };
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

/** Searches guides, operations and error codes in the browser. */
export function DocsSearch() {
  const { show, load } = useResults();
  const [query, setQuery] = useState("");
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
      {query.trim() === "" ? null : show?.results(query, () => setQuery(""))}
    </search>
  );
}
