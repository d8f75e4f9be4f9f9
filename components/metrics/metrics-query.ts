"use client";

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import type { Input } from "@/lib/catalogue/client";
import { type Ask, loadMetrics, type MetricsData } from "./load";
import { type MetricsState, metricsKey } from "./state";

const liveMs = 10_000;

export type CountsQuery = NonNullable<
  Input<"GET /v1/api-metrics/metrics/timeserie-counts">["query"]
>;
type LatencyQuery = NonNullable<Input<"GET /v1/api-metrics/metrics/timeserie-latencies">["query"]>;
export type TopQuery = NonNullable<Input<"GET /v1/api-metrics/metrics/top">["query"]>;

/** All of the page's numbers. Presets are computed at each call, so that a link to "last 24 hours" stays relative to its opening. */
export function useMetricsQuery(state: MetricsState) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: metricsKey(view.tenant, state),
    queryFn: ({ signal }): Promise<MetricsData> => {
      const site = siteOf(view.sites, view.permissions);
      const ask: Ask = {
        counts: (query) =>
          call("GET /v1/api-metrics/metrics/timeserie-counts", {
            site,
            signal,
            query: query as CountsQuery,
          }),
        latencies: (query) =>
          call("GET /v1/api-metrics/metrics/timeserie-latencies", {
            site,
            signal,
            query: query as LatencyQuery,
          }),
        top: (query) =>
          call("GET /v1/api-metrics/metrics/top", { site, signal, query: query as TopQuery }),
        markers: (query) => call("GET /v1/api-metrics/markers", { site, signal, query }),
        metadata: (query) => call("GET /v1/api-metrics/metadata", { site, signal, query }),
      };
      return loadMetrics(state, ask, Date.now());
    },
    placeholderData: keepPreviousData,
    ...(state.live ? { refetchInterval: liveMs } : {}),
  });
}

/** The site of a user whose roles are at one site only; a role in the tenant needs no site. */
export function siteOf(sites: string[], permissions: string[]): string | undefined {
  return sites.length === 1 && !permissions.includes("tenant.read") ? sites[0] : undefined;
}

/** Whether the user may mark the charts: it needs the permission in the whole tenant, because all users see markers. */
export function useMayMark(): boolean {
  const { permissions, sites } = usePortal().view;
  return permissions.includes("api-metric.write") && siteOf(sites, permissions) === undefined;
}
