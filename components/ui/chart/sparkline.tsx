import { evenly, linePath, scaleOf, spotsOf } from "./shapes";

interface SparklineProps {
  /** Null for a missing value, which is a gap. */
  values: (number | null)[];
  /** The description for screen readers, with the key figure. */
  label: string;
  width?: number;
  height?: number;
  /** The last bucket is incomplete: the line to it is dotted. */
  isOpenEnded?: boolean;
}

/** A small line without axes, rendered on the server: it needs no chart code in the browser. */
export function Sparkline({
  values,
  label,
  width = 120,
  height = 28,
  isOpenEnded = false,
}: SparklineProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const room = { left: 0, top: 2, width, height: height - 4 };
  const scale = scaleOf(room, evenly(values.length, false), most);
  const path = (high: (number | null)[]) => linePath(spotsOf(scale, { low: [], high }));
  const isSplit = isOpenEnded && values.length > 1;
  const last = values.length - 1;
  const closed = values.map((value, index) => (isSplit && index === last ? null : value));
  const open = values.map((value, index) => (isSplit && index >= last - 1 ? value : null));
  const look = { fill: "none", stroke: "var(--chart-1)", strokeWidth: 1.5 } as const;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="max-w-full overflow-visible"
    >
      <path d={path(closed)} strokeLinejoin="round" strokeLinecap="round" {...look} />
      <path d={path(open)} strokeDasharray="1 3" {...look} />
    </svg>
  );
}
