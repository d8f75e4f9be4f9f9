import { shortNumber } from "@/components/metrics/summary";
import { number, t } from "@/components/texts/t";
import { drawingOf, drawnSeries } from "@/components/ui/chart/drawing";
import { Picture, PlotArea } from "@/components/ui/chart/picture";
import type { Plotted } from "@/components/ui/chart/shapes";
import { ChartSwatch, MarkerSign } from "@/components/ui/chart/signs";
import type { UsageSummary } from "@/lib/features/metrics/usage-summary";

/** A change within the day. */
export interface TrafficMarker {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  title: string;
}

interface TrafficChartProps {
  summary: UsageSummary;
  zone: string;
  markers: TrafficMarker[];
}

const height = 160;

function seriesOf({ calls, errors, before }: UsageSummary) {
  const called: Plotted = {
    ...{ key: "calls", label: t("Calls"), color: "var(--chart-1)", dash: "0", values: calls },
  };
  const failed: Plotted = {
    ...{ key: "errors", label: t("Server errors"), color: "var(--danger)", dash: "6 3" },
    values: errors,
  };
  const former: Plotted = {
    ...{ key: "before", label: t("The day before"), color: "var(--muted)", dash: "2 3" },
    ...{ isFaint: true, values: calls.map((_, hour) => before.calls[hour] ?? null) },
  };
  return { called, failed, former };
}

/** Calls as an area, errors and the day before as lines, and changes on the axis: a picture that needs no code in the browser. */
export function TrafficChart({ summary, zone, markers }: TrafficChartProps) {
  const { called, failed, former } = seriesOf(summary);
  // A line of zeros would be drawn on the axis.
  const errors = summary.errors.some((count) => count > 0) ? [failed] : [];
  const base = drawingOf({
    ...{ kind: "area", height, times: summary.times, timeZone: zone },
    ...{ series: [called, former], isOpenEnded: true, format: shortNumber },
  });
  const drawing = {
    ...base,
    series: [...base.series, ...drawnSeries("line", errors)],
    ends: [],
  };
  const calls = number(summary.calls.reduce((sum, value) => sum + value, 0));
  return (
    <figure className="mt-3">
      <div dir="ltr" className="relative @container" style={{ height }}>
        <div
          role="img"
          aria-label={t("Calls by hour: {calls} in all", { calls })}
          className="absolute inset-0"
        >
          <Picture drawing={drawing} />
        </div>
        <PlotArea drawing={drawing}>
          <Signs times={summary.times} markers={markers} />
        </PlotArea>
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-meta text-muted">
        {[called, ...errors, former].map(({ key, label, color, dash }) => (
          <span key={key} className="flex items-center gap-1">
            <ChartSwatch color={color} dash={dash} />
            {label}
          </span>
        ))}
        {markers.length > 0 ? (
          <span className="flex min-w-0 items-center gap-1">
            <MarkerSign />
            <span className="min-w-0 wrap-anywhere">{changes(markers)}</span>
          </span>
        ) : null}
      </figcaption>
    </figure>
  );
}

const maxNamed = 3;

/** The newest changes by name. */
function changes(markers: TrafficMarker[]): string {
  const named = markers.slice(0, maxNamed).map(({ title }) => title);
  const others = markers.length - named.length;
  return [...named, ...(others > 0 ? [t("and {count} more", { count: number(others) })] : [])].join(
    ", ",
  );
}

const hourMs = 3_600_000;

/** The marks of changes on the axis. */
function Signs({ times, markers }: Pick<TrafficChartProps, "markers"> & { times: number[] }) {
  const [first = 0] = times;
  const length = Math.max(1, times.length - 1) * hourMs;
  return markers.map(({ id, at, title }) => (
    <span
      key={id}
      title={title}
      className="absolute -bottom-1.5 -translate-x-1/2 rotate-180"
      style={{ left: `${Math.min(100, Math.max(0, ((at - first) / length) * 100)).toFixed(2)}%` }}
    >
      <MarkerSign />
    </span>
  ));
}
