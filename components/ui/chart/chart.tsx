"use client";

import { useState } from "react";
import type { Cursor } from "./cursor";
import { endLabelsWidth } from "./end-labels";
import { ChartOverlay } from "./overlay";
import { ChartPlot, type PlotProps, plotRoom } from "./plot";
import { isBanded } from "./shapes";
import type { Point } from "./tooltip";

export interface ChartProps extends Omit<PlotProps, "width" | "onWidth"> {
  id: string;
  cursor: Cursor;
  pointOf: (index: number) => Point;
  /** Places of buckets in which something happened. */
  markers?: number[];
  /** Places from which to which something lasted. */
  spans?: { from: number; to: number }[];
  /** Told the places of the first and the last bucket that were dragged over. */
  onZoom?: (from: number, to: number) => void;
  onOpen?: (index: number) => void;
}

const none: never[] = [];

/** Values over time. Charts with one cursor share a crosshair. A gap is drawn as a gap. */
export function Chart({
  id,
  cursor,
  pointOf,
  markers = none,
  spans = none,
  onZoom,
  onOpen,
  ...plot
}: ChartProps) {
  const [width, setWidth] = useState(0);
  const { kind, series, height, label, times } = plot;
  const { left, top, bottom } = plotRoom;
  const right = endLabelsWidth(kind, series, width);
  return (
    <div dir="ltr" className="relative" style={{ height }}>
      <ChartPlot {...plot} width={width} onWidth={setWidth} />
      <div className="absolute" style={{ left, top, bottom, right }}>
        <ChartOverlay
          key={times.length}
          id={id}
          label={label}
          count={times.length}
          isBand={isBanded(plot)}
          cursor={cursor}
          pointOf={pointOf}
          markers={markers}
          spans={spans}
          onZoom={onZoom}
          onOpen={onOpen}
        />
      </div>
    </div>
  );
}
