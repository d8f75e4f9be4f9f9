"use client";

import { smallDrawing } from "./drawing";
import { Plot } from "./plot";
import type { ChartKind, Plotted } from "./shapes";

interface MiniChartProps {
  kind: ChartKind;
  /** Milliseconds since the epoch. */
  times: number[];
  series: Plotted[];
  /** The last bucket is incomplete. */
  isOpenEnded: boolean;
  /** The description for screen readers, with the key figure. */
  label: string;
}

/** A chart drawn like the large ones, without axes and pointer. */
export const MiniChart = ({ label, ...asked }: MiniChartProps) => (
  <Plot label={label} drawing={smallDrawing({ height: 64, hasFloor: true, ...asked })} />
);
