"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

type Show = (query: string, onOpen: () => void) => ReactNode;

/** The results and their index, loaded when the reader is about to search: most readers never do. */
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

/** Arrow keys move from the field to the results and between them. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** `/` focuses the field from anywhere on the page. */
function useSlash() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, []);
  return field;
}

/** Searches guides, operations and error codes in the browser. `children` decorate the field: the server renders them. */
export function DocsSearch({ children }: { children: ReactNode }) {
  const { show, load } = useResults();
  const [query, setQuery] = useState("");
  const field = useSlash();
  return (
    <search
      className="relative flex flex-1 basis-52 sm:max-w-80"
      onFocus={load}
      onKeyDown={(event) => {
        if (event.key === "Escape") setQuery("");
        moveFocus(event);
      }}
    >
      {children}
      <input
        ref={field}
        type="search"
        aria-label="Search the documentation"
        aria-keyshortcuts="/"
        placeholder="Search"
        className="h-8 w-full rounded-control border border-border-strong bg-bg px-8 text-control placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
        value={query}
        onChange={(event) => {
          void load();
          setQuery(event.target.value);
        }}
      />
      {query.trim() === "" ? null : show?.results(query, () => setQuery(""))}
    </search>
  );
}
