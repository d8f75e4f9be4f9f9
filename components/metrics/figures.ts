import { number, t } from "@/components/texts/t";
import type { Plotted } from "@/components/ui/chart/shapes";
import { firstCounted, type MetricsData } from "./load";
import { type ChartSeries, plainSeries } from "./series";
import type { MetricsState } from "./state";
import { shortNumber } from "./summary";

/** The data of one of the page's charts. */
export interface Figure {
  id: "calls" | "errors" | "error-rate" | "latency";
  title: string;
  description?: string;
  /** The description for screen readers. */
  label: string;
  series: ChartSeries[];
  /** Drawn behind the series, not listed. */
  background: Plotted[];
  format: (value: number) => string;
  /** Formats a value for a table or a tooltip. */
  inFull: (value: number) => string;
  /** Whether the series can be summed. */
  isSummed: boolean;
  /** The text for a missing value. */
  missing: string;
}

const errorLooks = {
  "5xx": { color: "var(--danger)", dash: "0" },
  "4xx": { color: "var(--warning)", dash: "6 3" },
} as const;
type ErrorClass = keyof typeof errorLooks;
const errorClasses: ErrorClass[] = ["5xx", "4xx"];

type Values = (number | null)[];

const classOf = ({ classes }: MetricsData, name: string) =>
  classes.series.find(({ groups }) => groups.statusClass === name)?.values;

/** Series of the classes that occurred; `measure` gets the errors and all calls of a bucket. */
function errorSeries(
  data: MetricsData,
  measure: (errors: number, calls: number) => number | null,
): ChartSeries[] {
  const { times, series } = data.classes;
  const first = firstCounted(data);
  const calls = times.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return errorClasses.flatMap((name) => {
    const errors = classOf(data, name);
    if (!errors) return [];
    const values: Values = errors.map((value, index) =>
      index < first ? null : measure(value, calls[index] ?? 0),
    );
    return [{ key: name, label: name, values, total: 0, ...errorLooks[name] }];
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

/** The previous period, aligned by bucket. */
function previousSeries({ previous }: MetricsData): Plotted[] {
  if (!previous) return [];
  const look = { color: "var(--muted)", dash: "2 3", isFaint: true };
  return [{ key: "~previous", label: t("Previous period"), ...look, values: previous.values }];
}

/** A duration, short enough for an axis. */
const duration = (value: number) =>
  value < 1000 ? `${value} ms` : `${number(value / 1000, { maximumFractionDigits: 2 })} s`;
const milliseconds = (value: number) => `${number(value)} ms`;
const whole = (value: number) => number(value);
const percent = (value: number) => number(value, { style: "percent", maximumSignificantDigits: 3 });

/** The page's charts: the requested calls, and the errors and latency of the same calls. */
export function figuresOf(
  state: MetricsState,
  data: MetricsData,
  series: ChartSeries[],
): Record<"calls" | "errors" | "rate" | "latency", Figure> {
  const missing = t("not counted");
  const counting = { format: shortNumber, inFull: whole, isSummed: true, missing };
  const shares = { background: [], isSummed: false, missing: t("no calls") };
  return {
    calls: {
      id: "calls",
      title: t("Calls"),
      label: t("Calls over time"),
      series: series.filter((one) => !state.off.includes(one.key)),
      background: previousSeries(data),
      ...counting,
    },
    errors: {
      id: "errors",
      title: t("Errors"),
      description: t("Responses with 4xx or 5xx"),
      label: t("Client and server errors over time"),
      series: errorSeries(data, (errors) => errors),
      background: [],
      ...counting,
    },
    rate: {
      id: "error-rate",
      title: t("Error rate"),
      description: t("Share of all calls. Gaps mean no calls."),
      label: t("Error rate over time"),
      series: errorSeries(data, (errors, calls) => (calls > 0 ? errors / calls : null)),
      ...shares,
      format: percent,
      inFull: percent,
    },
    latency: {
      id: "latency",
      title: t("Latency"),
      description: t("p50, p95 and p99 of all calls. Gaps mean no calls."),
      label: t("Latency over time"),
      series: latencySeries(data),
      ...shares,
      format: duration,
      inFull: milliseconds,
    },
  };
}
