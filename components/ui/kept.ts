"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`gatehouse.${name}`);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`gatehouse.${name}`, value);
  } catch {
    // The browser blocks storage, so it shows the default next time.
  }
  for (const listener of listeners) listener();
}

/** A small preference of this browser, such as the density of a table. Never for data. */
export function useKept(name: string, byDefault: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => readKept(name) ?? byDefault,
    () => byDefault,
  );
  return [value, (next) => keep(name, next)];
}
