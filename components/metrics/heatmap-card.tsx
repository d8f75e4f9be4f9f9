"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Loaded } from "@/components/ui/loaded";
import type { Input } from "@/lib/catalogue/client";
import {
  bandName,
  bandShares,
  bandStarts,
  heatmapQuantiles,
  heatmapSummary,
  percent,
} from "./heatmap";
import { HeatmapPlot } from "./heatmap-plot";
import { countsQuery, type Latencies, type MetricsData } from "./load";
import { siteOf } from "./metrics-query";
import { MetricsTable } from "./metrics-table";
import { asked, type MetricsState } from "./state";

type LatencyQuery = NonNullable<Input<"GET /v1/api-metrics/metrics/timeserie-latencies">["query"]>;

interface HeatmapCardProps {
  state: MetricsState;
  data: MetricsData;
  isTable: boolean;
  isOpenEnded: boolean;
  moment: (at: number) => string;
  clock: (at: number) => string;
}

/** The filters of the page. */
function useHeatmapQuery(state: MetricsState, { range }: MetricsData) {
  const { view, call } = usePortal();
  const { group: _, ...query } = countsQuery(state, range);
  const site = siteOf(view.sites, view.permissions);
  return useQuery({
    queryKey: [view.tenant, "metrics-heatmap", asked(state), range],
    queryFn: ({ signal }) =>
      call("GET /v1/api-metrics/metrics/timeserie-latencies", {
        ...{ site, signal },
        query: { ...query, quantile: heatmapQuantiles } as LatencyQuery,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The distribution of calls over latency, by minute or hour; or as a table. */
export function HeatmapCard({ state, data, ...shown }: HeatmapCardProps) {
  const found = useHeatmapQuery(state, data);
  return (
    <Card
      id="heatmap"
      title={t("Latency heatmap")}
      description={t("Which part of the calls took how long, to about 5 %")}
      flush
    >
      <Loaded
        found={found}
        failed={t("The latencies could not be loaded")}
        skeleton="m-4 h-48"
        flush
      >
        {(latencies) => <Heatmap latencies={latencies} {...shown} />}
      </Loaded>
    </Card>
  );
}

type HeatmapProps = Omit<HeatmapCardProps, "state" | "data"> & { latencies: Latencies };

function Heatmap({ latencies, isTable, isOpenEnded, moment, clock }: HeatmapProps) {
  const times = latencies.times.map((time) => Date.parse(time));
  const shares = bandShares(latencies);
  const summary = heatmapSummary(shares, (index) => clock(times[index] ?? 0));
  const marks = [...new Set([0, Math.floor(times.length / 2), times.length - 1])];
  const ticks = marks.flatMap((index) => {
    const at = times[index];
    return at === undefined ? [] : [clock(at)];
  });
  const series = bandStarts.map((start, band) => ({
    ...{ key: String(start), label: bandName(band), total: 0, color: "", dash: "0" },
    values: shares.map((bands) => bands?.[band] ?? null),
  }));
  return (
    <div className={isTable ? "" : "py-3"}>
      <p role="status" className="mb-3 px-4 pt-1 text-body">
        {summary}
      </p>
      {isTable ? (
        <MetricsTable
          {...{ label: t("Latency by share of the calls"), times, series, moment, isOpenEnded }}
          format={percent}
          missing={t("no calls")}
        />
      ) : (
        <HeatmapPlot
          shares={shares}
          ticks={ticks}
          label={t("Latency heatmap. {summary}", { summary })}
        />
      )}
    </div>
  );
}
