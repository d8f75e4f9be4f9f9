import { plural, t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { AlertTest } from "@/lib/features/alerts/contract";
import type { AlertMeasure } from "@/lib/features/alerts/values";
import { valueWords } from "./alert-words";
import { TestChart } from "./test-chart";

interface TestResultProps {
  test: AlertTest;
  rule: { measure: AlertMeasure; threshold: number };
}

const listed = 5;

/** When a rule would have fired: a chart and the newest firings. */
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
