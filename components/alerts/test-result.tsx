import { plural, t } from "@/components/texts/t";
import { smallDrawing } from "@/components/ui/chart/drawing";
import { Plot } from "@/components/ui/chart/plot";
import { evenly } from "@/components/ui/chart/shapes";
import { Instant } from "@/components/ui/instant";
import type { AlertTest } from "@/lib/features/alerts/contract";
import type { AlertMeasure } from "@/lib/features/alerts/values";
import { valueWords } from "./alert-words";

interface TestChartProps {
  test: AlertTest;
  measure: AlertMeasure;
  threshold: number;
  /** The description for screen readers. */
  label: string;
}

const look = { key: "value", label: "", color: "var(--chart-1)", dash: "0" };
/** The minimum share of the width for a firing, so that it stays visible. */
const leastShare = 1 / 300;

/** The values of a test, its threshold, and the times at which the rule would have fired. */
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

function TestChart({ test, measure, threshold, label }: TestChartProps) {
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

interface TestResultProps {
  test: AlertTest;
  rule: { measure: AlertMeasure; threshold: number };
}

const listed = 5;

/** The times at which a rule would have fired: a chart and the newest firings. */
export function TestResult({ test, rule }: TestResultProps) {
  const { count, firings } = test;
  const summary =
    count === 0
      ? t("It would not have fired.")
      : plural(count, "It would have fired once.", "It would have fired {count} times.");
  const newest = firings.slice(-listed).toReversed();
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-body font-medium">
        {summary}
      </p>
      <TestChart
        test={test}
        {...rule}
        label={t("{summary} The line is the worst value of the window.", { summary })}
      />
      {newest.length > 0 ? (
        <ul className="flex flex-col gap-1 text-body">
          {newest.map(({ from, to, peak }) => (
            <li key={from} className="flex flex-wrap gap-x-3">
              <Instant at={from} form="full" />
              <span className="text-muted">{to ? lengthText(from, to) : t("until now")}</span>
              <span className="figures">{valueWords(rule.measure, peak)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {count > newest.length ? (
        <p className="text-meta text-muted">
          {t("The newest {count} are listed.", { count: newest.length })}
        </p>
      ) : null}
    </div>
  );
}

function lengthText(from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  return minutes < 120
    ? t("for {minutes} min", { minutes })
    : t("for {round} h", { round: Math.round(minutes / 60) });
}
