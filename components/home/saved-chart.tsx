"use client";

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { countsQuery, firstCounted } from "@/components/metrics/load";
import { type CountsQuery, siteOf } from "@/components/metrics/metrics-query";
import { isUnfinished, rangeName, rangeOf } from "@/components/metrics/range";
import { type ChartSeries, chartSeries } from "@/components/metrics/series";
import {
  inZoneOf,
  type MetricsState,
  plainKind,
  readMetricsState,
} from "@/components/metrics/state";
import { shortNumber } from "@/components/metrics/summary";
import { usePortal } from "@/components/shell/portal";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { MiniChart } from "@/components/ui/chart/mini-chart";
import type { ChartKind } from "@/components/ui/chart/shapes";
import { ChartSwatch } from "@/components/ui/chart/signs";
import { CallFailed } from "@/components/ui/error-notice";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { mayChange } from "@/components/views/view-items";
import type { SavedView } from "@/lib/features/views/contract";
import { chartKeys } from "./query-keys";

const minuteMs = 60_000;

interface ChartData {
  /** Milliseconds since the epoch. */
  times: number[];
  series: ChartSeries[];
  /** The last bucket is incomplete. */
  isOpenEnded: boolean;
}

/** The calls of a saved chart by its grouping, without the series that were switched off. */
function useChartQuery(state: MetricsState) {
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
      const series = chartSeries(
        counts,
        { ...metadata, siteNames: view.siteNames },
        firstCounted({ counts, range, metadata }),
      );
      return {
        times: counts.times.map((time) => Date.parse(time)),
        series: series.filter((one) => !state.off.includes(one.key)),
        isOpenEnded: isUnfinished(range, asOf),
      };
    },
  });
}

interface SavedChartProps {
  view: SavedView;
  onRemove: () => void;
}

/** The current state of the saved address, in the reader's zone when it names none. */
function useSavedState({ query }: SavedView): MetricsState {
  const { view } = usePortal();
  const state = readMetricsState(Object.fromEntries(new URLSearchParams(query)));
  return inZoneOf(view.zone, state);
}

/** A saved view of the metrics page as a small chart with a link. */
export function SavedChart({ view, onRemove }: SavedChartProps) {
  const portal = usePortal();
  const state = useSavedState(view);
  // Without a parameter the page would open with the reader's default view.
  const href = `/t/${portal.view.tenant}/metrics?${view.query || `range=${state.range}`}`;
  const range = rangeName(state, state.zone);
  return (
    <article className="flex h-full flex-col gap-1" aria-label={view.name}>
      <div className="flex min-h-7 items-center gap-2">
        <h3 className="min-w-0 flex-1 truncate text-control font-medium">
          <Link href={href} className="rounded-[3px] hover:underline">
            {view.name}
          </Link>
        </h3>
        {mayChange(portal, view) ? (
          <Button
            tone="quiet"
            size="icon"
            aria-label={t("Remove {name} from Home", { name: view.name })}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={onRemove}
          />
        ) : null}
      </div>
      <p className="text-meta text-muted">
        {view.shared ? t("{range}, shared", { range }) : range}
      </p>
      <Numbers state={state} name={view.name} />
    </article>
  );
}

function Numbers({ state, name }: { state: MetricsState; name: string }) {
  const { data, error, refetch } = useQuery(useChartQuery(state));
  if (data) return <Drawn data={data} kind={plainKind(state.chart)} name={name} />;
  if (!error) return <Skeleton className="h-32" />;
  const again = (
    <Button size="small" onClick={() => void refetch()}>
      {t("Try again")}
    </Button>
  );
  return <CallFailed title={t("The calls could not be loaded")} error={error} action={again} />;
}

interface DrawnProps {
  data: ChartData;
  kind: ChartKind;
  name: string;
}

function Drawn({ data, kind, name }: DrawnProps) {
  const { series } = data;
  const calls = series.reduce((sum, one) => sum + one.total, 0);
  const total = plural(calls, "1 call", "{count} calls", { count: shortNumber(calls) });
  return (
    <>
      <p className="figures text-figure">{total}</p>
      <MiniChart {...data} kind={kind} label={`${name}: ${total}`} />
      <ul className="mt-1 flex flex-wrap gap-x-3 text-meta text-muted">
        {series.map(({ key, label, color, dash }) => (
          <li key={key} className="flex min-w-0 items-center gap-1">
            <ChartSwatch color={color} dash={dash} />
            <span className="truncate">{label}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
