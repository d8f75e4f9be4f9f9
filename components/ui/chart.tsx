"use client";

import { type PointerEvent, useState } from "react";
import {
  CartesianGrid,
  ComposedChart,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { dataOf, mark, openMark } from "./chart-marks";
import { ChartTooltip } from "./chart-tooltip";
import { EndLabels, endLabelsWidth, noLabels } from "./end-labels";

export interface Plotted {
  key: string;
  label: string;
  color: string;
  dash: string;
  values: (number | null)[];
  /** Drawn thin and grey behind the others. */
  isFaint?: boolean;
}

export interface ChartProps {
  label: string;
  kind: "line" | "area" | "bar";
  height: number;
  /** Milliseconds since the epoch. */
  times: number[];
  series: Plotted[];
  /** The last bucket is not over yet. */
  isOpenEnded: boolean;
  tick: (at: number) => string;
  moment: (at: number) => string;
  format: (value: number) => string;
  onZoom?: (from: number, to: number) => void;
}

interface Drag {
  from: number;
  to: number;
}

const inOrder = ({ from, to }: Drag) => ({ from: Math.min(from, to), to: Math.max(from, to) });

const axisWidth = 56;

/** The bucket under a pointer. */
function timeAt(event: PointerEvent<HTMLDivElement>, times: number[], margin: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - left - axisWidth) / (width - axisWidth - margin);
  const index = Math.round(Math.min(1, Math.max(0, share)) * (times.length - 1));
  return times[index] ?? 0;
}

/** Dragging across the chart chooses a range. */
function useDrag(times: number[], margin: number, onZoom: ChartProps["onZoom"]) {
  const [drag, setDrag] = useState<Drag>();
  if (!onZoom) return { drag: undefined, handlers: {} };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button === 0 && event.pointerType === "mouse")
        setDrag({ from: timeAt(event, times, margin), to: timeAt(event, times, margin) });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const to = timeAt(event, times, margin);
      if (drag && to !== drag.to) setDrag({ ...drag, to });
    },
    // The last move may not be rendered yet: where the pointer is now is what counts.
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const chosen = drag && inOrder({ from: drag.from, to: timeAt(event, times, margin) });
      if (chosen && chosen.from !== chosen.to) onZoom(chosen.from, chosen.to);
      setDrag(undefined);
    },
    onPointerLeave: () => setDrag(undefined),
  };
  return { drag, handlers };
}

/** Where a tick says something else than the one before: a day of many buckets is named once. */
const newTicks = (times: number[], tick: ChartProps["tick"]) =>
  times.filter((at, index) => index === 0 || tick(at) !== tick(times[index - 1] ?? at));

const axis = {
  stroke: "var(--border)",
  tick: { fill: "var(--muted)", fontSize: 12 },
  tickLine: false,
} as const;

function axesOf({ times, tick, format }: ChartProps) {
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="at"
        type="category"
        ticks={newTicks(times, tick)}
        tickFormatter={tick}
        minTickGap={48}
        {...axis}
      />
      <YAxis width={axisWidth} tickFormatter={format} {...axis} axisLine={false} />
    </>
  );
}

function tooltipOf({ times, series, moment, format, isOpenEnded }: ChartProps) {
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ stroke: "var(--border-strong)" }}
      content={({ active, label: at }) => (
        <ChartTooltip
          isShown={active === true}
          at={Number(at)}
          times={times}
          series={series}
          moment={moment}
          format={format}
          isOpenEnded={isOpenEnded}
        />
      )}
    />
  );
}

/** Values over time. Charts on one page share a crosshair. A gap is drawn as a gap. */
export function Chart(props: ChartProps) {
  const { label, kind, height, times, series, isOpenEnded, onZoom } = props;
  const [width, setWidth] = useState(0);
  const margin = endLabelsWidth(kind, series, width);
  const { drag, handlers } = useDrag(times, margin, onZoom);
  const zoomed = drag && inOrder(drag);
  const isSplit = isOpenEnded && times.length > 1;
  return (
    <div
      role="img"
      aria-label={label}
      className={onZoom ? "cursor-crosshair select-none" : undefined}
      style={{ height }}
      {...handlers}
    >
      <ResponsiveContainer
        width="100%"
        height={height}
        initialDimension={{ width: 800, height }}
        onResize={setWidth}
      >
        <ComposedChart
          data={dataOf(props)}
          syncId="metrics"
          syncMethod="value"
          accessibilityLayer={false}
          margin={{ top: 8, right: margin, bottom: 0, left: 0 }}
        >
          {axesOf(props)}
          {tooltipOf(props)}
          {series.map((one) => mark(kind, one))}
          {isSplit ? series.map((one) => openMark(kind, one)) : null}
          {margin > noLabels ? (
            <EndLabels kind={kind} series={series} isOpenEnded={isOpenEnded} />
          ) : null}
          {zoomed ? (
            <ReferenceArea
              x1={zoomed.from}
              x2={zoomed.to}
              fill="var(--accent)"
              fillOpacity={0.12}
            />
          ) : null}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}
