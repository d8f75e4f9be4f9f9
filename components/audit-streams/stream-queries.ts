"use client";

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { useIsGone } from "@/components/ui/gone";
import { streamKeys } from "./query-keys";

/** The interval at which the delivery state is refetched, in ms. */
const refetchInterval = 10_000;

/** The tenant's audit streams, page by page. */
export function useStreamsQuery() {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: streamKeys.list(view.tenant),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "50", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/audit/streams", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchInterval,
    meta: asViewCall({ operation: "GET /v1/audit/streams", needsSession: true }),
  });
}

export function useStreamQuery(id: string) {
  const { view, call } = usePortal();
  const isGone = useIsGone(id);
  return queryOptions({
    queryKey: streamKeys.one(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/audit/streams/{id}", { params: { id }, signal }),
    refetchInterval,
    enabled: !isGone,
  });
}
