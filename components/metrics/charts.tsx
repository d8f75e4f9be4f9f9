"use client";

import { Card } from "@/components/ui/card";
import { LazyChart } from "./lazy-chart";
import { Legend } from "./legend";
import type { MetricsData } from "./load";
import { MetricsTable } from "./metrics-table";
import { type ChartSeries, plainSeries } from "./series";
import type { MetricsState } from "./state";
import { shortNumber } from "./summary";

interface ChartsProps {
  state: MetricsState;
  data: MetricsData;
  series: ChartSeries[];
  onOff: (off: string[]) => void;
  onZoom: (from: number, to: number) => void;
}

/** Ticks say the day where the range is longer than two. */
function formats(zone: string, { from, to }: MetricsData["range"]) {
  const isLong = to - from > 172_800_000;
  const tick = new Intl.DateTimeFormat(
    "en-GB",
    isLong ? { day: "numeric", month: "short", timeZone: zone } : { hour: "2-digit", minute: "2-digit", timeZone: zone },
  );
  const moment = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "short",
  });
  return { tick: (at: number) => tick.format(at), moment: (at: number) => moment.format(at) };
}

const errorLooks = { "5xx": { color: "var(--danger)", dash: "0" }, "4xx": { color: "var(--warning)", dash: "6 3" } } as Record<
  string,
  { color: string; dash: string }
>;

function failureSeries({ failures }: MetricsData): ChartSeries[] {
  return failures.series.map(({ groups, values }) => {
    const name = groups.statusClass ?? "";
    return { key: name, label: name, values, total: 0, ...(errorLooks[name] ?? { color: "var(--chart-1)", dash: "0" }) };
  });
}

const latencySeries = ({ latencies }: MetricsData) =>
  plainSeries(latencies.series.map(({ groups, values }) => ({ key: groups.quantile ?? "", label: groups.quantile ?? "", values })));

/** The range before, bucket under bucket. */
function previousSeries({ previous, counts }: MetricsData) {
  const [values] = previous?.series.map((one) => one.values) ?? [];
  if (!values) return [];
  return [
    {
      key: "previous",
      label: "range before",
      color: "var(--chart-other)",
      dash: "2 3",
      isFaint: true,
      values: values.slice(0, counts.times.length),
    },
  ];
}

const milliseconds = (value: number) => `${value.toLocaleString("en")} ms`;

/** Calls, errors and latencies over the same time, under one crosshair; or the same calls as a table. */
export function Charts({ state, data, series, onOff, onZoom }: ChartsProps) {
  const times = data.counts.times.map((time) => Date.parse(time));
  const isOpenEnded = data.range.to >= data.asOf - 60_000;
  const common = { times, isOpenEnded, ...formats(state.zone, data.range) };
  const on = series.filter(({ label }) => !state.off.includes(label));
  const zoom = { onZoom };
  return (
    <div className="flex flex-col gap-4">
      <Card id="calls" title="Calls" flush>
        <div className="pt-3">
          {state.view === "table" ? (
            <MetricsTable label="Calls over time" times={data.counts.times} series={on} moment={common.moment} isOpenEnded={isOpenEnded} />
          ) : (
            <LazyChart
              label="Calls over time"
              kind={state.chart}
              height={280}
              series={[...on, ...previousSeries(data)]}
              format={shortNumber}
              {...common}
              {...zoom}
            />
          )}
        </div>
        <Legend series={series} off={state.off} onOff={onOff} />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card id="errors" title="Errors" flush>
          <div className="py-3">
            <LazyChart
              label="Client and server errors over time"
              kind="line"
              height={180}
              series={failureSeries(data)}
              format={shortNumber}
              {...common}
              {...zoom}
            />
          </div>
        </Card>
        <Card id="latency" title="Latency" description="p50 and p95 of all calls; a gap had none" flush>
          <div className="py-3">
            <LazyChart
              label="Latency over time"
              kind="line"
              height={160}
              series={latencySeries(data)}
              format={milliseconds}
              {...common}
              {...zoom}
            />
          </div>
        </Card>
      </div>
    </div>
  );
}
