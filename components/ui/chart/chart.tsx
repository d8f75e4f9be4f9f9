"use client";

import { useMemo } from "react";
import type { Cursor } from "./cursor";
import { type Asked, drawingOf } from "./drawing";
import { ChartOverlay, type Span } from "./overlay";
import { PlotArea } from "./picture";
import { Plot } from "./plot";
import { isBanded } from "./shapes";
import type { Point } from "./tooltip";

export interface ChartProps extends Asked {
  id: string;
  label: string;
  cursor: Cursor;
  pointOf: (index: number) => Point;
  /** Indexes of buckets with markers. */
  markers?: number[];
  /** Ranges of bucket indexes. */
  spans?: Span[];
  /** Called with the indexes of the first and the last bucket of the drag. */
  onZoom?: (from: number, to: number) => void;
  onOpen?: (index: number) => void;
}

const none: never[] = [];

/** Values over time. Charts with one cursor share a crosshair. A gap is drawn as a gap. */
export function Chart({
  id,
  label,
  cursor,
  pointOf,
  markers = none,
  spans = none,
  onZoom,
  onOpen,
  ...asked
}: ChartProps) {
  const { kind, height, times, timeZone, series, isOpenEnded, format, max } = asked;
  const drawing = useMemo(
    () => drawingOf({ kind, height, times, timeZone, series, isOpenEnded, format, max }),
    [kind, height, times, timeZone, series, isOpenEnded, format, max],
  );
  return (
    <Plot drawing={drawing} label={label}>
      <PlotArea drawing={drawing}>
        <ChartOverlay
          key={times.length}
          id={id}
          label={label}
          count={times.length}
          isBand={isBanded(asked)}
          cursor={cursor}
          pointOf={pointOf}
          markers={markers}
          spans={spans}
          onZoom={onZoom}
          onOpen={onOpen}
        />
      </PlotArea>
    </Plot>
  );
}
