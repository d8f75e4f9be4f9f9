"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { type NotedName, withNoted } from "./noted";

/** The delay between writes: Safari allows 100 changes of the address in 30 seconds, and a held key causes more. */
const restMs = 350;

let lastMs = -restMs;
let timer: ReturnType<typeof setTimeout> | undefined;
let path = "";
const waiting = new Map<NotedName, string>();

/** Writes the pending values into the address, unless another page is on screen by now. */
function write(): void {
  clearTimeout(timer);
  timer = undefined;
  const { pathname, search, hash } = window.location;
  const next = pathname === path ? withNoted(search, waiting) : search;
  waiting.clear();
  if (next === search) return;
  lastMs = performance.now();
  // With Next's own state in the entry its router ignores the change: nothing is rendered or fetched.
  window.history.replaceState(window.history.state, "", `${pathname}${next}${hash}`);
}

function note(where: string, name: NotedName, value: string): void {
  if (path !== where) waiting.clear();
  path = where;
  waiting.set(name, value);
  timer ??= setTimeout(write, Math.max(0, lastMs + restMs - performance.now()));
}

/**
 * Stores a value in the address, so that a reload and a link show the same. It bypasses the
 * router, which may drop it with its next change, so it is compared after every render.
 */
export function useNoted(name: NotedName, value: string): void {
  const here = usePathname();
  // Renders again on every change by the router.
  useSearchParams();
  useEffect(() => note(here, name, value));
  useEffect(() => {
    // A click may leave the page: the history entry must then have the newest value.
    window.addEventListener("click", write, true);
    return () => {
      window.removeEventListener("click", write, true);
      note(here, name, "");
    };
  }, [here, name]);
}
