import { Area, Bar, Line } from "recharts";
import type { ChartProps, Plotted } from "./chart";

type Datum = Record<string, number | null>;

const partial = (key: string) => `${key} open`;

/** The rows of the chart: lines and bars end one bucket early; a dotted one goes on to the bucket that is not over. */
export function dataOf({ times, series, isOpenEnded, kind }: ChartProps): Datum[] {
  const last = times.length - 1;
  const isSplit = isOpenEnded && last > 0;
  return times.map((at, index) => {
    const entries = series.flatMap((one): [string, number | null][] => {
      const value = one.values[index] ?? null;
      if (!isSplit) return [[one.key, value]];
      return [
        [one.key, index === last ? null : value],
        [
          partial(one.key),
          index >= (kind === "bar" && !one.isFaint ? last : last - 1) ? value : null,
        ],
      ];
    });
    return { at, ...Object.fromEntries(entries) };
  });
}

/** A series as its chart's kind draws it. */
export function mark(kind: ChartProps["kind"], one: Plotted) {
  const common = {
    dataKey: one.key,
    name: one.label,
    stroke: one.color,
    isAnimationActive: false,
  } as const;
  const strokeWidth = one.isFaint ? 1 : 1.75;
  if (kind === "bar" && !one.isFaint)
    return <Bar key={one.key} {...common} fill={one.color} stackId="all" />;
  if (kind === "area" && !one.isFaint) {
    return (
      <Area
        key={one.key}
        {...common}
        type="linear"
        stackId="all"
        fill={one.color}
        fillOpacity={0.22}
        strokeWidth={strokeWidth}
        strokeDasharray={one.dash}
        dot={false}
      />
    );
  }
  return (
    <Line
      key={one.key}
      {...common}
      type="linear"
      dot={false}
      strokeWidth={strokeWidth}
      strokeDasharray={one.dash}
      connectNulls={false}
    />
  );
}

/** The part of a series that reaches into the bucket that is not over: dotted or pale. */
export function openMark(kind: ChartProps["kind"], one: Plotted) {
  const common = {
    dataKey: partial(one.key),
    name: one.label,
    stroke: one.color,
    isAnimationActive: false,
    strokeDasharray: "1 4",
    strokeWidth: 1.75,
  } as const;
  if (kind === "bar" && !one.isFaint)
    return (
      <Bar key={partial(one.key)} {...common} stackId="all" fill={one.color} fillOpacity={0.3} />
    );
  if (kind === "area" && !one.isFaint) {
    return (
      <Area
        key={partial(one.key)}
        {...common}
        type="linear"
        stackId="open"
        fill={one.color}
        fillOpacity={0.08}
        dot={false}
      />
    );
  }
  return <Line key={partial(one.key)} {...common} type="linear" dot={false} />;
}
