"use client";

import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { requestKeys } from "./query-keys";
import { asRequestsQuery, type RequestFilters } from "./requests-path";

/** Requests of the log as the filters cut them, page by page. */
export function useRequestsQuery(filters: RequestFilters) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: requestKeys.list(view.tenant, filters),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...asRequestsQuery(filters), limit: "50", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/requests", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/requests",
      needsSession: true,
      query: asRequestsQuery(filters),
    }),
  });
}
