import type { Plotted } from "@/components/ui/chart";
import type { MetricsData } from "./load";
import { type ChartSeries, plainSeries } from "./series";
import type { MetricsState } from "./state";
import { shortNumber } from "./summary";

/** What one of the page's charts shows. */
export interface Figure {
  id: string;
  title: string;
  description?: string;
  /** For those who cannot see it. */
  label: string;
  series: ChartSeries[];
  /** Drawn behind the series, not listed. */
  background: Plotted[];
  format: (value: number) => string;
  /** How a table shows a value. */
  inFull: (value: number) => string;
}

const errorLooks = {
  "5xx": { color: "var(--danger)", dash: "0" },
  "4xx": { color: "var(--warning)", dash: "6 3" },
} as Record<string, { color: string; dash: string }>;

function failureSeries({ failures }: MetricsData): ChartSeries[] {
  return failures.series.map(({ groups, values }) => {
    const name = groups.statusClass ?? "";
    return {
      key: name,
      label: name,
      values,
      total: 0,
      ...(errorLooks[name] ?? { color: "var(--chart-1)", dash: "0" }),
    };
  });
}

const latencySeries = ({ latencies }: MetricsData) =>
  plainSeries(
    latencies.series.map(({ groups, values }) => ({
      key: groups.quantile ?? "",
      label: groups.quantile ?? "",
      values,
    })),
  );

/** The range before, bucket under bucket. */
function previousSeries({ previous, counts }: MetricsData): Plotted[] {
  const [values] = previous?.series.map((one) => one.values) ?? [];
  if (!values) return [];
  const look = { color: "var(--chart-other)", dash: "2 3", isFaint: true };
  return [
    {
      key: "previous",
      label: "previous period",
      ...look,
      values: values.slice(0, counts.times.length),
    },
  ];
}

/** Short enough for an axis. */
const duration = (value: number) =>
  value < 1000
    ? `${value} ms`
    : `${(value / 1000).toLocaleString("en", { maximumFractionDigits: 2 })} s`;
const milliseconds = (value: number) => `${value.toLocaleString("en")} ms`;
const whole = (value: number) => value.toLocaleString("en");

/** The page's charts: calls as they are asked for, and errors and latency of the same calls. */
export function figuresOf(state: MetricsState, data: MetricsData, series: ChartSeries[]) {
  const counting = { format: shortNumber, inFull: whole };
  const calls: Figure = {
    id: "calls",
    title: "Calls",
    label: "Calls over time",
    series: series.filter(({ label }) => !state.off.includes(label)),
    background: previousSeries(data),
    ...counting,
  };
  const errors: Figure = {
    id: "errors",
    title: "Errors",
    description: "Responses with 4xx or 5xx",
    label: "Client and server errors over time",
    series: failureSeries(data),
    background: [],
    ...counting,
  };
  const latency: Figure = {
    id: "latency",
    title: "Latency",
    description: "p50 and p95 of all calls. Gaps mean no calls.",
    label: "Latency over time",
    series: latencySeries(data),
    background: [],
    format: duration,
    inFull: milliseconds,
  };
  return { calls, errors, latency };
}
