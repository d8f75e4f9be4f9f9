"use client";

import { smallDrawing } from "./drawing";
import { Plot } from "./plot";
import type { ChartKind, Plotted } from "./shapes";

interface MiniChartProps {
  kind: ChartKind;
  /** Milliseconds since the epoch. */
  times: number[];
  series: Plotted[];
  /** The last bucket is not over yet. */
  isOpenEnded: boolean;
  /** What it shows, in words with the number that counts. */
  label: string;
}

/** A chart as the large ones are drawn, without axes and without a pointer. */
export const MiniChart = ({ label, ...asked }: MiniChartProps) => (
  <Plot label={label} drawing={smallDrawing({ height: 64, hasFloor: true, ...asked })} />
);
