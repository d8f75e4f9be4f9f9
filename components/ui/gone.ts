"use client";

import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** The ids of objects that are being or were deleted while their page is still on screen. */
const gone = new Set<string>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Whether the object is being deleted, so that its page stops polling it. */
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

/** Deletes an object and cancels the queries of its page, which would fail before the next page opens. */
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
