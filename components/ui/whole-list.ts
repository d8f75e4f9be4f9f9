"use client";

import { useEffect } from "react";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Loads the rest of a list during a search, because only loaded items can match. A page that
 * fails is not retried automatically; the list shows the error with a retry.
 */
export function useWholeList(found: Pages, isWanted: boolean): void {
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = found;
  const isMissing = isWanted && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
}
