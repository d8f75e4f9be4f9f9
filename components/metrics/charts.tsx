"use client";

import { Card } from "@/components/ui/card";
import type { ChartProps } from "@/components/ui/chart";
import { type Figure, figuresOf } from "./figures";
import { LazyChart } from "./lazy-chart";
import { Legend } from "./legend";
import type { MetricsData } from "./load";
import { MetricsTable } from "./metrics-table";
import type { ChartSeries } from "./series";
import type { MetricsState } from "./state";

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
    isLong
      ? { day: "numeric", month: "short", timeZone: zone }
      : { hour: "2-digit", minute: "2-digit", timeZone: zone },
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

interface ShownProps extends Omit<ChartProps, "label" | "series" | "format"> {
  figure: Figure;
  isTable: boolean;
}

/** A chart, or the same numbers as a table. */
function Shown({
  figure: { label, series, background, format, inFull },
  isTable,
  ...chart
}: ShownProps) {
  if (!isTable)
    return (
      <LazyChart label={label} series={[...series, ...background]} format={format} {...chart} />
    );
  const { times, moment, isOpenEnded } = chart;
  return (
    <MetricsTable
      label={label}
      times={times}
      series={series}
      moment={moment}
      format={inFull}
      isOpenEnded={isOpenEnded}
    />
  );
}

/** Calls, errors and latencies over the same time, under one crosshair; or as tables. */
export function Charts({ state, data, series, onOff, onZoom }: ChartsProps) {
  const times = data.counts.times.map((time) => Date.parse(time));
  const isOpenEnded = data.range.to >= data.asOf - 60_000;
  const common = {
    isTable: state.view === "table",
    times,
    isOpenEnded,
    onZoom,
    ...formats(state.zone, data.range),
  };
  const { calls, errors, latency } = figuresOf(state, data, series);
  return (
    <div className="flex flex-col gap-4">
      <Card id={calls.id} title={calls.title} flush>
        <div className={common.isTable ? "mb-3" : "pt-3"}>
          <Shown figure={calls} kind={state.chart} height={280} {...common} />
        </div>
        <Legend series={series} off={state.off} onOff={onOff} />
      </Card>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {[errors, latency].map((figure) => (
          <Card
            key={figure.id}
            id={figure.id}
            title={figure.title}
            description={figure.description}
            flush
          >
            <div className={common.isTable ? "" : "py-3"}>
              <Shown figure={figure} kind="line" height={180} {...common} />
            </div>
          </Card>
        ))}
      </div>
    </div>
  );
}
