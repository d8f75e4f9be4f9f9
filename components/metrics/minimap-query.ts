"use client";

import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useQueryClient,
} from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { type Counts, countsQuery, type MetricsData } from "./load";
import { type CountsQuery, siteOf } from "./metrics-query";
import { isZoneless, type Range } from "./range";
import { filtersOf, type MetricsState } from "./state";

/** All calls of each bucket. */
export interface Totals {
  /** Milliseconds since the epoch. */
  times: number[];
  values: number[];
}

const totalsOf = ({ times, series }: Counts): Totals => ({
  times: times.map((time) => Date.parse(time)),
  values: times.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  ),
});

/** What the page has shown of the whole range already, by the same filters. */
function totalsAmong(
  held: [QueryKey, MetricsData | undefined][],
  filters: object,
  whole: Range,
): Totals | undefined {
  const found = held.find(
    ([[, , asked], data]) =>
      data?.range.from === whole.from &&
      data.range.to === whole.to &&
      JSON.stringify(filtersOf(asked as MetricsState)) === JSON.stringify(filters),
  );
  return found?.[1] && totalsOf(found[1].counts);
}

/** The calls of the range around a zoom: those that were on screen before it, else asked for once. */
export function useWholeQuery(state: MetricsState, whole: Range) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const filters = filtersOf(state);
  const instants = {
    from: new Date(whole.from).toISOString(),
    to: new Date(whole.to).toISOString(),
  };
  const asked: MetricsState = { ...state, ...instants, range: "", period: "auto", group: [] };
  const zone = isZoneless(asked) ? "UTC" : state.zone;
  return queryOptions({
    queryKey: [view.tenant, "metrics-whole", whole, filters, zone],
    queryFn: async ({ signal }) => {
      const site = siteOf(view.sites, view.permissions);
      const query = countsQuery(asked, whole) as CountsQuery;
      return totalsOf(
        await call("GET /v1/api-metrics/metrics/timeserie-counts", { site, signal, query }),
      );
    },
    initialData: () =>
      totalsAmong(
        queries.getQueriesData<MetricsData>({ queryKey: [view.tenant, "metrics"] }),
        filters,
        whole,
      ),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
