import { t } from "@/components/texts/t";
import type { AlertTest } from "@/lib/features/alerts/contract";
import type { AlertMeasure } from "@/lib/features/alerts/values";
import { valueWords } from "./alert-words";

const [width, height] = [600, 96];

interface TestChartProps {
  test: AlertTest;
  measure: AlertMeasure;
  threshold: number;
  /** What it shows, in words. */
  label: string;
}

type Scale = (value: number) => number;

/** Lines of the values that are there: a value that is missing ends one. */
function linesOf(values: readonly (number | null)[], x: Scale, y: Scale) {
  const lines: string[][] = [[]];
  for (const [index, value] of values.entries())
    if (value === null) lines.push([]);
    else lines.at(-1)?.push(`${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  return lines.filter((line) => line.length > 0).map((line) => line.join(" "));
}

interface Scales {
  x: Scale;
  y: Scale;
  at: (instant: string | null) => number;
}

function scalesOf({ from, to, values }: AlertTest, threshold: number): Scales {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const highest = Math.max(threshold, ...values.map((value) => value ?? 0)) * 1.1 || 1;
  const step = width / Math.max(1, values.length);
  return {
    x: (index) => (index + 0.5) * step,
    y: (value) => height - (value / highest) * height,
    at: (instant) => ((Date.parse(instant ?? to) - start) / (end - start)) * width,
  };
}

const thin = { fill: "none", strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" } as const;

/** The values of a test, its threshold, and when the rule would have fired: drawn without chart code. */
export function TestChart({ test, measure, threshold, label }: TestChartProps) {
  const { x, y, at } = scalesOf(test, threshold);
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-24 w-full rounded-control bg-subtle"
      >
        {test.firings.map(({ from, to }) => (
          <rect
            key={from}
            x={at(from)}
            width={Math.max(2, at(to) - at(from))}
            height={height}
            className="fill-danger opacity-20"
          />
        ))}
        {linesOf(test.values, x, y).map((points) => (
          <polyline key={points} points={points} stroke="var(--chart-1)" {...thin} />
        ))}
        <line
          x2={width}
          y1={y(threshold)}
          y2={y(threshold)}
          className="stroke-danger"
          strokeDasharray="4 3"
          {...thin}
        />
      </svg>
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
