"use client";

import { useEffect } from "react";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Reads the rest of a list while something is searched in it: what the browser has not got cannot match. A page that fails is not asked for
 * again; the list says so and offers it.
 */
export function useWholeList(found: Pages, isWanted: boolean): void {
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = found;
  const isMissing = isWanted && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
}
