"use client";

import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { countsQuery, firstCounted } from "@/components/metrics/load";
import { type CountsQuery, siteOf } from "@/components/metrics/metrics-query";
import { isUnfinished, rangeOf } from "@/components/metrics/range";
import { type ChartSeries, chartSeries } from "@/components/metrics/series";
import type { MetricsState } from "@/components/metrics/state";
import { usePortal } from "@/components/shell/portal";
import { chartKeys } from "./query-keys";

const minuteMs = 60_000;

export interface ChartData {
  /** Milliseconds since the epoch. */
  times: number[];
  series: ChartSeries[];
  /** The last bucket is not over yet. */
  isOpenEnded: boolean;
}

/** The calls of a saved chart by its grouping, without the series that were switched off. */
export function useChartQuery(state: MetricsState) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const site = siteOf(view.sites, view.permissions);
  return queryOptions({
    queryKey: chartKeys.calls(view.tenant, state),
    refetchInterval: minuteMs,
    queryFn: async ({ signal }): Promise<ChartData> => {
      const asOf = Date.now();
      const range = rangeOf(state, asOf);
      const query = countsQuery(state, range) as CountsQuery;
      const [counts, metadata] = await Promise.all([
        call("GET /v1/api-metrics/metrics/timeserie-counts", { site, signal, query }),
        queries.fetchQuery({
          queryKey: chartKeys.metadata(view.tenant),
          queryFn: () => call("GET /v1/api-metrics/metadata", { site }),
          staleTime: minuteMs,
        }),
      ]);
      const series = chartSeries(counts, metadata, firstCounted({ counts, range, metadata }));
      return {
        times: counts.times.map((time) => Date.parse(time)),
        series: series.filter((one) => !state.off.includes(one.key)),
        isOpenEnded: isUnfinished(range, asOf),
      };
    },
  });
}
