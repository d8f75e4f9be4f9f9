"use client";

import { useSyncExternalStore } from "react";

function read(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

/** The token in the fragment, which browsers never send; undefined until hydration. */
export function useLinkToken(): string | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined);
}
