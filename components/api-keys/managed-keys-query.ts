"use client";

import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { asKeyQuery, firstKeys, type KeyFilter, type KeyQuery } from "./key-filters";
import { keyKeys } from "./query-keys";

/** The tenant's keys page by page, or one owner's. */
export function useManagedKeys(filter: KeyFilter, owner?: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: keyKeys.managedList(view.tenant, owner, filter),
    queryFn: async ({ pageParam, signal }) => {
      const query: KeyQuery = {
        ...firstKeys(filter, owner),
        ...(pageParam && { cursor: pageParam }),
      };
      const { answer, next } = await exchange("GET /v1/user/api-keys", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/user/api-keys",
      query: asKeyQuery(filter, owner),
    }),
  });
}
