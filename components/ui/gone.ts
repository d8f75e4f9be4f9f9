"use client";

import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** What is being deleted, or was, while its page is still on screen. */
const gone = new Set<string>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Whether it is being deleted, so that its page, which reads it again and again, has nothing to read any more. */
export function useIsGone(id: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        gone.delete(id);
      };
    },
    [id],
  );
  return useSyncExternalStore(
    subscribe,
    () => gone.has(id),
    () => false,
  );
}

/** Deletes it, and ends what its page reads: that would fail before another page is there. */
export async function deleteShown(
  queries: QueryClient,
  id: string,
  remove: () => Promise<unknown>,
): Promise<void> {
  gone.add(id);
  tell();
  try {
    await queries.cancelQueries({ predicate: ({ queryKey }) => queryKey.includes(id) });
    await remove();
  } catch (error) {
    gone.delete(id);
    tell();
    throw error;
  }
}
