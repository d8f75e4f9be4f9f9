"use client";

import { infiniteQueryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { releasesKey } from "./query-keys";

/** The releases of a site, page by page; read again, for a scheduled one is published by itself. */
export function useReleasesQuery(site: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: releasesKey(view.tenant, site),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "50", cursor: pageParam };
      const { answer, next } = await exchange("GET /pim/releases", { site, query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchInterval: 10_000,
    meta: asViewCall({ operation: "GET /pim/releases", site, needsSession: true }),
  });
}
