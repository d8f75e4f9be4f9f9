"use client";

import { memo, useEffect, useMemo } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  XAxis,
  type XAxisTickContentProps,
  YAxis,
  type YAxisTickContentProps,
} from "recharts";
import { classOf, type Drawing, plotArea } from "./drawing";
import { endPlaces, endRoomOf, rightOf, stub } from "./end-labels";
import { Mark, Span } from "./marks";
import { type Row, rowsOf } from "./rows";
import { barWidth, type Spot } from "./shapes";

/**
 * The only file that uses recharts. It draws axes, grid, series and references of a drawing at the width there is. recharts
 * measures nothing: ticks, their number and the margins are given. It does not handle the pointer: the overlay does.
 */

interface RechartsProps {
  drawing: Drawing;
  width: number;
  /** Called when the chart is drawn. */
  onReady: () => void;
}

type Given = Omit<RechartsProps, "width">;

interface Place {
  x: number | null;
  y: number | null;
}

interface Found {
  points?: readonly Place[];
  baseLine?: number | readonly Place[];
}

/** The positions that recharts computed for the values. */
function spotsFrom({ points = [], baseLine }: Found): Spot[] {
  const bases = typeof baseLine === "object" ? baseLine : [];
  return points.map(({ x, y }, index) => ({ x: x ?? 0, y, base: bases[index]?.y ?? 0 }));
}

/** Called a frame after the values have positions: by then recharts has drawn its axes, too. */
function Ready({ onReady }: Pick<RechartsProps, "onReady">) {
  useEffect(() => {
    const frame = requestAnimationFrame(onReady);
    return () => cancelAnimationFrame(frame);
  }, [onReady]);
  return null;
}

const plain = {
  dataKey: "y",
  type: "linear",
  isAnimationActive: false,
  zIndex: 0,
  dot: false,
  activeDot: false,
  legendType: "none",
  tooltipType: "none",
} as const;

/**
 * Ranges as a layer behind the series. Present even without ranges: recharts draws no axes for a
 * chart without values.
 */
function spansOf({ drawing, onReady }: Given) {
  const { places, max, spans = [] } = drawing;
  const empty: Row[] = [places.from, places.to].map((x) => ({ x, y: [0, 0] }));
  const rows = spans.flatMap(({ from, to }): Row[] => [
    { x: from, y: [0, max] },
    { x: to, y: [0, max] },
    { x: to, y: null },
  ]);
  const shape = (found: Found) => (
    <>
      <Ready onReady={onReady} />
      {rows.length > 0 ? <Span spots={spotsFrom(found)} /> : null}
    </>
  );
  return <Area key="spans" {...plain} data={rows.length > 0 ? rows : empty} shape={shape} />;
}

/** A series: a line, or the surface of a layer or of bars. */
function seriesOf({ drawing }: Given, width: number) {
  const rows = rowsOf(drawing, width);
  const { isOpenEnded, places } = drawing;
  const bar = barWidth(width, places.at.length);
  return drawing.series.map((look, index) => {
    const shape = (found: Found) => (
      <Mark {...{ look, isOpenEnded, bar }} spots={spotsFrom(found)} />
    );
    const given = { ...plain, data: rows[index] ?? [], shape };
    return look.form === "line" ? (
      <Line key={look.key} {...given} />
    ) : (
      <Area key={look.key} {...given} />
    );
  });
}

const text = { fontSize: 12, fill: "var(--muted)" };

const ValueText = ({ x, y, payload, tickFormatter, index }: YAxisTickContentProps) => (
  <text {...text} x={x} y={y} dy="0.355em" textAnchor="end">
    {tickFormatter?.(payload.value, index)}
  </text>
);

const TimeText = ({ x, y, payload, tickFormatter, index }: XAxisTickContentProps) => (
  <text {...text} x={x} y={y} dy="0.71em" textAnchor="middle">
    {tickFormatter?.(payload.value, index)}
  </text>
);

/** An axis without line and marks, and without anything that recharts would measure. */
const bare = {
  type: "number",
  axisLine: false,
  tickLine: false,
  tickSize: 0,
  tickMargin: 8,
  interval: 0,
  niceTicks: "none",
} as const;
const noColumns = () => [];

/** The axes with the drawing's ticks at this width; hidden ones only define the scale. */
function axesOf({ drawing, width }: RechartsProps) {
  const { places, max, values, left, bottom } = drawing;
  const times = drawing.times[classOf(width)] ?? [];
  const labels = new Map(times.map(({ index, label }) => [places.at[index], label]));
  return [
    <XAxis
      key="x"
      {...bare}
      dataKey="x"
      domain={[places.from, places.to]}
      ticks={times.length > 0 ? [...labels.keys()].map(Number) : [places.from]}
      hide={times.length === 0}
      height={bottom}
      tick={TimeText}
      tickFormatter={(value: number) => labels.get(value) ?? ""}
    />,
    <YAxis
      key="y"
      {...bare}
      domain={[0, max]}
      ticks={values.length > 0 ? values.map(({ value }) => value) : [0]}
      hide={values.length === 0}
      width={left}
      tick={ValueText}
      tickFormatter={(_: number, index: number) => values[index]?.label ?? ""}
    />,
  ];
}

/** The lines of round values, and the threshold. */
function linesOf(drawing: Drawing) {
  const { values, hasFloor, max, top, threshold } = drawing;
  const height = plotArea(drawing);
  const lines = [
    ...values.map(({ value }) => top + height - (value / max) * height),
    ...(hasFloor ? [top + height] : []),
  ];
  const grid = (
    <CartesianGrid
      key="grid"
      vertical={false}
      horizontalPoints={lines}
      verticalCoordinatesGenerator={noColumns}
      stroke="var(--border)"
      zIndex={0}
    />
  );
  const line = (
    <ReferenceLine
      key="threshold"
      {...{ y: threshold ?? 0, stroke: "var(--danger)", strokeDasharray: "4 3", strokeWidth: 1.5 }}
      zIndex={0}
    />
  );
  return [lines.length > 0 ? grid : null, threshold === undefined ? null : line];
}

/** The name of each series next to its end, in its colour and dash. */
function Ends({ drawing, width }: Pick<RechartsProps, "drawing" | "width">) {
  const room = endRoomOf(drawing);
  if (!room || classOf(width) < room.fromClass) return null;
  const x = width - rightOf(drawing, classOf(width)) + 4;
  return endPlaces(drawing).map(({ label, color, dash, y }) => (
    <g key={label} transform={`translate(${x} ${y + drawing.top})`}>
      <line x2={stub} stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
      <text x={stub + 4} dy="0.35em" fill="currentColor" fontSize="12">
        {label}
      </text>
    </g>
  ));
}

/** Stretches the chart during printing and window resizing until it is drawn for the new width. */
const stretched = {
  preserveAspectRatio: "none",
  style: { width: "100%", height: "100%" },
  className: "[&_path]:[vector-effect:non-scaling-stroke]",
};

/** A drawing by recharts. Memoized: the props stay the same objects while drawing and width are unchanged. */
export const Recharts = memo((props: RechartsProps) => {
  const { drawing, width } = props;
  const { height, left, top } = drawing;
  const right = rightOf(drawing, classOf(width));
  // A hidden axis takes no space.
  const bottom = drawing.times.some(({ length }) => length > 0) ? 0 : drawing.bottom;
  const margin = useMemo(() => ({ top, right, bottom, left: 0 }), [top, right, bottom]);
  const { onReady } = props;
  const children = useMemo(() => {
    const given = { drawing, width, onReady };
    const series = seriesOf(given, width - left - right);
    return [...axesOf(given), ...linesOf(drawing), spansOf(given), ...series];
  }, [drawing, width, left, right, onReady]);
  return (
    <ComposedChart {...{ width, height, margin }} {...stretched} accessibilityLayer={false}>
      {children}
      <Ends drawing={drawing} width={width} />
    </ComposedChart>
  );
});
