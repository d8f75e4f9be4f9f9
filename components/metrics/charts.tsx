"use client";

import { type ReactNode, Suspense, useMemo, useState } from "react";
import { reader } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { type Cursor, createCursor } from "@/components/ui/chart/cursor";
import type { ChartKind } from "@/components/ui/chart/shapes";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { type Cell, useOpenCell } from "./cell-query";
import { type Figure, figuresOf } from "./figures";
import { LazyChart, LazyTable } from "./lazy-parts";
import { Legend, peakOf } from "./legend";
import type { MetricsData } from "./load";
import { MarkerList } from "./marker-list";
import { markerWords, placeMarkers, spansOf, uncountedSpans } from "./markers";
import { pointsOf } from "./points";
import { isUnfinished } from "./range";
import type { ChartSeries } from "./series";
import { type MetricsState, plainKind } from "./state";
import { minimapHeight, ZoomActions, ZoomedPart } from "./zoomed-part";
import { wholeOf, type Zooming } from "./zooming";

const HeatmapCard = lazyPart(() => import("./heatmap-card").then((module) => module.HeatmapCard), {
  kind: "panel",
  isRare: true,
});
const CellPanel = lazyPart(() => import("./cell-panel").then((module) => module.CellPanel), {
  kind: "panel",
});

interface ChartsProps {
  state: MetricsState;
  data: MetricsData;
  series: ChartSeries[];
  onOff: (off: string[]) => void;
  zooming: Zooming;
}

function formats(zone: string, { from, to }: MetricsData["range"]) {
  const isLong = to - from > 86_400_000;
  const date = { weekday: "short", day: "numeric", month: "short" } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZone: zone } as const;
  const moment = new Intl.DateTimeFormat(reader().dates, {
    ...date,
    ...time,
    timeZoneName: "short",
  });
  const clock = new Intl.DateTimeFormat(reader().dates, {
    ...(isLong && { day: "numeric", month: "short" }),
    ...time,
  });
  return { moment: (at: number) => moment.format(at), clock: (at: number) => clock.format(at) };
}

/** The shared state of the page's charts. */
function useCommon({ state, data }: Pick<ChartsProps, "state" | "data">) {
  return useMemo(() => {
    const times = data.counts.times.map((time) => Date.parse(time));
    const { moment, clock } = formats(state.zone, data.range);
    const placed = placeMarkers(data.markers, times);
    return {
      ...{ times, moment, clock, placed },
      isOpenEnded: isUnfinished(data.range, data.asOf),
      markers: markerWords(placed, clock),
      places: [...new Set(placed.map(({ index }) => index))],
      spans: [...uncountedSpans(data, state.zone), ...spansOf(placed)],
      endOf: (index: number) => times[index + 1] ?? data.range.to,
    };
  }, [state.zone, data]);
}

type Common = ReturnType<typeof useCommon>;

interface Shared {
  zone: string;
  /** The details of the open point, under the plot of its chart. */
  behind: (id: Figure["id"]) => ReactNode;
  isTable: boolean;
  common: Common;
  cursor: Cursor;
  onZoom: (from: number, to: number) => void;
  onOpen: (cell: Cell) => void;
}

interface ShownProps extends Shared {
  figure: Figure;
  kind: ChartKind;
  height: number;
  /** Names the chart where a figure has several. */
  id?: string;
  max?: number;
}

/** A chart, or the same numbers as a table. */
function Shown({ figure, isTable, common, zone, onZoom, onOpen, ...chart }: ShownProps) {
  const { label, series, background, format, inFull, missing } = figure;
  const { times, moment, isOpenEnded, places, spans, endOf } = common;
  if (isTable)
    return (
      <LazyTable {...{ label, times, series, moment, isOpenEnded, missing }} format={inFull} />
    );
  const at = (index: number) => times[index] ?? 0;
  return (
    <LazyChart
      {...{ label, times, isOpenEnded, format, id: figure.id }}
      {...chart}
      timeZone={zone}
      series={[...series, ...background]}
      pointOf={pointsOf(figure, common)}
      markers={places}
      spans={spans}
      onZoom={(from, to) => onZoom(at(from), endOf(to))}
      onOpen={(index) => onOpen({ from: at(index), to: endOf(index), chart: figure.id })}
    />
  );
}

const callsHeight = 280;

/** The calls in the chosen layout: one chart, or one for each series on the same scale. */
function Calls({
  figure,
  kind,
  height,
  shared,
}: {
  figure: Figure;
  kind: MetricsState["chart"];
  height: number;
  shared: Shared;
}) {
  if (kind !== "multiples" || shared.isTable)
    return <Shown figure={figure} kind={plainKind(kind)} {...{ height }} {...shared} />;
  const { times } = shared.common;
  const max = Math.max(...figure.series.map((one) => peakOf(one.values)));
  if (times.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {figure.series.map((one) => (
        <div key={one.key}>
          <h3 className="truncate px-4 text-body font-medium">{one.label}</h3>
          <Shown
            figure={{
              ...figure,
              label: `${figure.label}: ${one.label}`,
              series: [one],
              background: [],
            }}
            {...{ kind: "area", height: 140, max, id: `${figure.id} ${one.key}`, ...shared }}
          />
        </div>
      ))}
    </div>
  );
}

/** The calls with their legend, which is the table of totals, and the markers of the range. */
function CallsCard({ state, data, series, onOff, zooming, figure, shared }: CallsCardProps) {
  const { common, cursor, onOpen, isTable } = shared;
  const openAt = (index: number) =>
    onOpen({ from: common.times[index] ?? 0, to: common.endOf(index), chart: "calls" });
  const previous = data.previous?.total ?? null;
  const whole = wholeOf(state);
  // The minimap takes its height from the chart, so that nothing below moves on a zoom.
  const height = callsHeight - (whole ? minimapHeight : 0);
  return (
    <Card
      id={figure.id}
      title={figure.title}
      actions={whole ? <ZoomActions state={state} onReset={zooming.reset} /> : undefined}
      flush
    >
      <div className={isTable ? "mb-3" : "py-3"}>
        <Calls figure={figure} kind={state.chart} height={height} shared={shared} />
        <ZoomedPart {...{ state, whole, moment: common.moment }} onMove={zooming.move} />
      </div>
      {shared.behind(figure.id)}
      <Legend
        series={series}
        off={state.off}
        onOff={onOff}
        previous={state.compare ? previous : undefined}
      />
      <MarkerList
        markers={common.placed}
        clock={common.clock}
        cursor={cursor}
        chart={figure.id}
        onOpen={openAt}
      />
    </Card>
  );
}

type CallsCardProps = ChartsProps & { figure: Figure; shared: Shared };

function FigureCard({ figure, shared }: { figure: Figure; shared: Shared }) {
  const { id, title, description } = figure;
  return (
    <Card id={id} title={title} description={description} flush>
      <div className={shared.isTable ? "" : "py-3"}>
        <Shown figure={figure} kind="line" height={180} {...shared} />
      </div>
      {shared.behind(id)}
    </Card>
  );
}

/** Calls, errors and latencies over the same time, under one crosshair; or as tables. */
export function Charts(props: ChartsProps) {
  const { state, data, series, zooming } = props;
  const [cursor] = useState(createCursor);
  const common = useCommon(props);
  const { cell, open, close } = useOpenCell(cursor, common.times);
  const { calls, errors, rate, latency } = figuresOf(state, data, series);
  const isTable = state.view === "table";
  const onZoom = (from: number, to: number) => zooming.zoom(data.range, { from, to });
  const behind = (id: Figure["id"]) =>
    cell?.chart === id ? (
      <Suspense>
        <CellPanel
          key={`${cell.from} ${cell.to} ${cell.chart}`}
          {...{ cell, state, data, moment: common.moment }}
          onClose={close}
        />
      </Suspense>
    ) : null;
  const shared = { isTable, common, cursor, onZoom, onOpen: open, behind, zone: state.zone };
  return (
    <div className="flex flex-col gap-4">
      <CallsCard {...props} figure={calls} shared={shared} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <FigureCard figure={errors} shared={shared} />
        <FigureCard figure={rate} shared={shared} />
        <div className="lg:col-span-2">
          {state.chart === "heatmap" ? (
            <Suspense fallback={<Skeleton className="h-64" />}>
              <HeatmapCard {...{ state, data, isTable, ...common }} />
            </Suspense>
          ) : (
            <FigureCard figure={latency} shared={shared} />
          )}
        </div>
      </div>
    </div>
  );
}
