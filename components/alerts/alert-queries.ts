"use client";

import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { siteOf } from "@/components/metrics/metrics-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { useIsGone } from "@/components/ui/gone";
import { alertKeys } from "./query-keys";

/** Alerts are checked each minute; changes that users make show sooner. */
const refetchInterval = 15_000;

/** The site sent with requests for alerts, for a user whose roles are at one site only. */
export function useAlertSite(): string | undefined {
  const { view } = usePortal();
  return siteOf(view.sites, view.permissions);
}

/** The tenant's alerts, page by page. */
export function useAlertsQuery() {
  const { view, exchange } = usePortal();
  const site = useAlertSite();
  return infiniteQueryOptions({
    queryKey: alertKeys.list(view.tenant),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "200", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/alerts", { site, query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchInterval,
    meta: asViewCall({ operation: "GET /v1/alerts", site }),
  });
}

export function useAlertQuery(id: string) {
  const { view, call } = usePortal();
  const site = useAlertSite();
  const isGone = useIsGone(id);
  return queryOptions({
    queryKey: alertKeys.one(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/alerts/{id}", { site, params: { id }, signal }),
    refetchInterval,
    enabled: !isGone,
  });
}

/** The history of an alert, page by page. */
export function useHistoryQuery(id: string) {
  const { view, exchange } = usePortal();
  const site = useAlertSite();
  const isGone = useIsGone(id);
  return infiniteQueryOptions({
    queryKey: alertKeys.history(view.tenant, id),
    queryFn: async ({ pageParam, signal }) => {
      const asked = { site, params: { id }, query: { limit: "20", cursor: pageParam }, signal };
      const { answer, next } = await exchange("GET /v1/alerts/{id}/history", asked);
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchInterval,
    enabled: !isGone,
  });
}

/** Invalidates all cached queries about alerts. */
export function useReload() {
  const { view } = usePortal();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: alertKeys.all(view.tenant) });
}
