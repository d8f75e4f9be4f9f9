interface SparklineProps {
  values: number[];
  /** What it shows, in words with the number that counts. */
  label: string;
  width?: number;
  height?: number;
}

/** A small line without axes, drawn where the page is made: no chart code reaches the browser for it. */
export function Sparkline({ values, label, width = 120, height = 28 }: SparklineProps) {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="max-w-full overflow-visible"
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
