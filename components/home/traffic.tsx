import { SampleNote } from "@/components/metrics/sample-parts";
import { changeWords, shortNumber } from "@/components/metrics/summary";
import { number, t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import type { Failing, UsageSummary } from "@/lib/features/metrics/usage-summary";
import { TrafficChart, type TrafficMarker } from "./traffic-chart";

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

const slowest = (values: readonly (number | null)[]) =>
  values.reduce<number | null>(
    (most, value) => (value === null ? most : Math.max(most ?? 0, value)),
    null,
  );

const percent = (share: number) => number(share, { style: "percent", maximumSignificantDigits: 3 });

interface Figure {
  name: string;
  value: string;
  /** The change from the day before; empty when there is nothing to compare. */
  delta: string;
  /** Whether a higher value is worse. */
  isWorse?: boolean;
}

function figuresOf({ calls, errors, p95, before }: UsageSummary): Figure[] {
  const [all, failed, slow] = [sum(calls), sum(errors), slowest(p95)];
  const formerAll = sum(before.calls);
  const rate = all > 0 ? failed / all : 0;
  const formerRate = formerAll > 0 ? before.errors / formerAll : 0;
  return [
    { name: t("Calls"), value: number(all), delta: changeWords(all, formerAll) },
    {
      name: t("Server errors"),
      value: number(failed),
      delta: changeWords(failed, before.errors),
      isWorse: failed > before.errors,
    },
    {
      name: t("Error rate"),
      value: all > 0 ? percent(rate) : t("no calls"),
      delta: changeWords(rate, formerRate),
      isWorse: rate > formerRate,
    },
    {
      name: t("Slowest hour, p95"),
      value: slow === null ? t("no calls") : `${number(slow)} ms`,
      delta: slow === null || before.p95 === null ? "" : changeWords(slow, before.p95),
      isWorse: slow !== null && before.p95 !== null && slow > before.p95,
    },
  ];
}

interface TrafficProps {
  tenant: string;
  summary: UsageSummary;
  /** The time zone of the axis. */
  zone: string;
  markers: TrafficMarker[];
  /** The name of the key that fails most. */
  keyName: string | undefined;
  /** Set when the calls are sample traffic. */
  sample?: { expiresAt: string };
}

/** The last day in one chart and four figures, with changes and the most frequent failures. */
export function Traffic({ tenant, summary, zone, markers, keyName, sample }: TrafficProps) {
  const metrics = `/t/${tenant}/metrics?range=24h${sample ? "&sample=true" : ""}`;
  return (
    <Card
      id="traffic"
      title={sample ? t("24 hours of sample traffic") : t("Last 24 hours")}
      actions={
        <Link
          href={sample ? metrics : `/t/${tenant}/metrics`}
          className="text-control text-accent hover:underline"
        >
          {t("All metrics")}
        </Link>
      }
    >
      {sample ? <SampleNote sample={sample} /> : null}
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {figuresOf(summary).map(({ name, value, delta, isWorse }) => (
          <div key={name}>
            <dt className="text-body text-muted">{name}</dt>
            <dd className="figures text-figure">{value}</dd>
            <dd className={`figures min-h-4 text-meta ${isWorse ? "text-danger" : "text-muted"}`}>
              {delta ? t("{delta} vs the day before", { delta }) : null}
            </dd>
          </div>
        ))}
      </dl>
      <TrafficChart summary={summary} zone={zone} markers={markers} />
      <Worst metrics={metrics} failing={summary.failing} keyName={keyName} />
    </Card>
  );
}

interface WorstProps extends Pick<UsageSummary, "failing">, Pick<TrafficProps, "keyName"> {
  /** The address of the metrics of that day. */
  metrics: string;
}

/** The most frequent failures, each with a link to its errors; nothing without failures. */
function Worst({ metrics, failing: { endpoint, apiKey }, keyName }: WorstProps) {
  if (!endpoint && !apiKey) return null;
  const filtered = (filter: string, { name }: Failing) =>
    `${metrics}&statusClass=5xx&${filter}=${encodeURIComponent(name)}`;
  const rows = [
    ...(endpoint
      ? [
          {
            what: t("Endpoint that fails most"),
            name: endpoint.name,
            errors: endpoint.errors,
            href: filtered("endpoint", endpoint),
          },
        ]
      : []),
    ...(apiKey
      ? [
          {
            what: t("API key that fails most"),
            name: keyName ?? apiKey.name,
            errors: apiKey.errors,
            href: filtered("apiKey", apiKey),
          },
        ]
      : []),
  ];
  return (
    <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1 border-t border-border pt-3 text-body">
      {rows.map(({ what, name, errors, href }) => (
        <div key={what} className="flex min-w-0 flex-wrap gap-x-2">
          <dt className="text-muted">{what}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <Link
              href={href}
              className="rounded-[3px] underline decoration-border-strong underline-offset-4"
            >
              {name}
            </Link>{" "}
            <span className="figures text-danger">{shortNumber(errors)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
