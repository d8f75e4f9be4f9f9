import { Marks } from "./marks";
import { type ChartKind, greatest, isBanded, type Plotted, scaleOf } from "./shapes";

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

const width = 300;
const height = 64;
const room = { left: 0, top: 2, width, height: height - 2 };

/** A chart as the large ones are drawn, stretched to the room there is, without axes and without a pointer. */
export function MiniChart({ kind, times, series, isOpenEnded, label }: MiniChartProps) {
  const most = Math.max(1, greatest({ kind, times, series }));
  const scale = scaleOf(room, times.length, isBanded({ kind, series }), most);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-16 w-full overflow-visible [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--border)" />
      <Marks {...{ kind, series, isOpenEnded, scale }} />
    </svg>
  );
}
