"use client";

import { memo, type RefObject, useLayoutEffect, useRef } from "react";
import { EndLabels, endLabelsWidth, noLabels } from "./end-labels";
import { Marks } from "./marks";
import { timeTicks, valueTicks } from "./scale";
import { type ChartKind, greatest, isBanded, type Plotted, type Scale, scaleOf } from "./shapes";

export interface PlotProps {
  label: string;
  kind: ChartKind;
  height: number;
  /** Milliseconds since the epoch. */
  times: number[];
  timeZone: string;
  series: Plotted[];
  /** The last bucket is not over yet. */
  isOpenEnded: boolean;
  /** How the axis writes a value. */
  format: (value: number) => string;
  /** The greatest value of the axis, where it is not that of the chart's own series. */
  max?: number | undefined;
  /** Of the whole picture; 0 before it is measured. */
  width: number;
  onWidth: (width: number) => void;
}

/** The room around what is plotted; that on the right depends on names at the ends. */
export const plotRoom = { left: 56, top: 8, bottom: 24 } as const;

const tickRoom = 80;
/** What the picture is drawn for before it is measured, such as on the server; it is stretched to the room there is. */
const assumedWidth = 800;

interface AxesProps {
  times: number[];
  timeZone: string;
  format: (value: number) => string;
  values: number[];
  scale: Scale;
}

/** A line for each round value, and under the chart round times. */
function Axes({ times, timeZone, format, values, scale }: AxesProps) {
  const { left, top, width, height } = scale.room;
  const [right, bottom] = [left + width, top + height];
  const places = timeTicks(times, timeZone, Math.max(2, Math.floor((left + width) / tickRoom)));
  return (
    <g fontSize="12" fill="var(--muted)">
      <g stroke="var(--border)">
        {values.map((value) => (
          <line key={value} x1={left} x2={right} y1={scale.y(value)} y2={scale.y(value)} />
        ))}
      </g>
      {values.map((value) => (
        <text key={value} x={left - 8} y={scale.y(value)} dy="0.355em" textAnchor="end">
          {format(value)}
        </text>
      ))}
      {places.map(({ index, label }) => (
        <text key={index} x={scale.x(index)} y={bottom + 8} dy="0.71em" textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  );
}

/** Tells the width of the element, before the first paint and whenever it changes. */
function useWidth(element: RefObject<HTMLElement | null>, onWidth: (width: number) => void): void {
  useLayoutEffect(() => {
    if (!element.current) return;
    const sizes = new ResizeObserver(([entry]) => entry && onWidth(entry.contentRect.width));
    sizes.observe(element.current);
    onWidth(element.current.clientWidth);
    return () => sizes.disconnect();
  }, [element, onWidth]);
}

/** The picture of a chart. It is drawn for its data, never for the pointer: that is the overlay's. */
export const ChartPlot = memo((props: PlotProps) => {
  const { label, kind, height, times, timeZone, series, isOpenEnded, format, max } = props;
  const frame = useRef<HTMLDivElement>(null);
  useWidth(frame, props.onWidth);
  const width = props.width || assumedWidth;
  const margin = endLabelsWidth(kind, series, props.width);
  const { left, top, bottom } = plotRoom;
  const room = {
    ...{ left, top, height: height - top - bottom },
    width: Math.max(1, width - left - margin),
  };
  const values = valueTicks(max ?? greatest(props));
  const scale = scaleOf(room, times.length, isBanded(props), values.at(-1) ?? 1);
  return (
    <div
      ref={frame}
      role="img"
      aria-label={label}
      className="will-change-transform"
      style={{ height }}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-full w-full"
      >
        <Axes {...{ times, timeZone, format, values, scale }} />
        <Marks {...{ kind, series, isOpenEnded, scale }} />
        {margin > noLabels ? <EndLabels {...{ kind, series, isOpenEnded, scale }} /> : null}
      </svg>
    </div>
  );
});
