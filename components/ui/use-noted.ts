"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { type NotedName, withNoted } from "./noted";

/** Safari allows 100 changes of the address in 30 seconds; a key that is held makes more. */
const restMs = 350;

let lastMs = -restMs;
let timer: ReturnType<typeof setTimeout> | undefined;
let path = "";
const waiting = new Map<NotedName, string>();

/** Writes what waits into the address; nothing where another page is on screen by now. */
function write(): void {
  clearTimeout(timer);
  timer = undefined;
  const { pathname, search, hash } = window.location;
  const next = pathname === path ? withNoted(search, waiting) : search;
  waiting.clear();
  if (next === search) return;
  lastMs = performance.now();
  // With the state that Next has put there its router does not look: nothing is rendered or asked for.
  window.history.replaceState(window.history.state, "", `${pathname}${next}${hash}`);
}

function note(where: string, name: NotedName, value: string): void {
  if (path !== where) waiting.clear();
  path = where;
  waiting.set(name, value);
  timer ??= setTimeout(write, Math.max(0, lastMs + restMs - performance.now()));
}

/**
 * Keeps a value in the address, so that a reload and a link show the same. It is written past the router, which does not know it and may
 * drop it with its next change: so it is compared after every rendering.
 */
export function useNoted(name: NotedName, value: string): void {
  const here = usePathname();
  // Renders this again with every change that the router makes.
  useSearchParams();
  useEffect(() => note(here, name, value));
  useEffect(() => {
    // A click may lead away: then the entry of the history must hold the newest.
    window.addEventListener("click", write, true);
    return () => {
      window.removeEventListener("click", write, true);
      note(here, name, "");
    };
  }, [here, name]);
}
