import { t } from "@/components/texts/t";
import { smallDrawing } from "@/components/ui/chart/drawing";
import { Plot } from "@/components/ui/chart/plot";
import { evenly } from "@/components/ui/chart/shapes";
import type { AlertTest } from "@/lib/features/alerts/contract";
import type { AlertMeasure } from "@/lib/features/alerts/values";
import { valueWords } from "./alert-words";

interface TestChartProps {
  test: AlertTest;
  measure: AlertMeasure;
  threshold: number;
  /** What it shows, in words. */
  label: string;
}

const look = { key: "value", label: "", color: "var(--chart-1)", dash: "0" };
/** The least share of the width that a firing takes, so that it is seen. */
const leastShare = 1 / 300;

/** The values of a test, its threshold, and when the rule would have fired. */
function drawingOf({ from, to, values, firings }: AlertTest, threshold: number) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const places = evenly(values.length, true);
  const shareOf = (instant: string | null) =>
    Math.min(1, Math.max(0, (Date.parse(instant ?? to) - start) / (end - start)));
  const at = (share: number) => places.from + share * (places.to - places.from);
  const spans = firings.map((firing) => {
    const first = Math.min(shareOf(firing.from), 1 - leastShare);
    return { from: at(first), to: at(Math.max(shareOf(firing.to), first + leastShare)) };
  });
  return smallDrawing({
    ...{ kind: "line", height: 96, top: 0, isOpenEnded: false, places, threshold, spans },
    times: values.map((_, index) => index),
    max: Math.max(threshold, ...values.map((value) => value ?? 0)) * 1.1 || 1,
    series: [{ ...look, values }],
  });
}

export function TestChart({ test, measure, threshold, label }: TestChartProps) {
  return (
    <figure className="flex flex-col gap-1">
      <div className="rounded-control bg-subtle">
        <Plot drawing={drawingOf(test, threshold)} label={label} />
      </div>
      <figcaption className="flex justify-between text-meta text-muted">
        <span>{t("7 days ago")}</span>
        <span className="figures">
          {t("threshold {value}", { value: valueWords(measure, threshold) })}
        </span>
        <span>{t("now")}</span>
      </figcaption>
    </figure>
  );
}
