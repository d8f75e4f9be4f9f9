import { Instant } from "@/components/ui/instant";
import type { AlertTest } from "@/lib/features/alerts/contract";
import { type AlertMeasure, valueText } from "@/lib/features/alerts/values";
import { TestChart } from "./test-chart";

interface TestResultProps {
  test: AlertTest;
  rule: { measure: AlertMeasure; threshold: number };
}

const listed = 5;

/** When a rule would have fired: a chart and the newest firings. */
export function TestResult({ test, rule }: TestResultProps) {
  const { count, firings } = test;
  const times = count === 1 ? "once" : `${count} times`;
  const summary = count === 0 ? "It would not have fired." : `It would have fired ${times}.`;
  const newest = firings.slice(-listed).toReversed();
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-body font-medium">
        {summary}
      </p>
      <TestChart
        test={test}
        {...rule}
        label={`${summary} The line is the worst value of the window.`}
      />
      {newest.length > 0 ? (
        <ul className="flex flex-col gap-1 text-body">
          {newest.map(({ from, to, peak }) => (
            <li key={from} className="flex flex-wrap gap-x-3">
              <Instant at={from} form="full" />
              <span className="text-muted">{to ? lengthText(from, to) : "until now"}</span>
              <span className="figures">{valueText(rule.measure, peak)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {count > newest.length ? (
        <p className="text-meta text-muted">The newest {newest.length} are listed.</p>
      ) : null}
    </div>
  );
}

function lengthText(from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  return minutes < 120 ? `for ${minutes} min` : `for ${Math.round(minutes / 60)} h`;
}
