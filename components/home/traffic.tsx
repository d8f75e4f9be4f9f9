import { number, t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Sparkline } from "@/components/ui/chart/sparkline";
import { Link } from "@/components/ui/link";
import type { UsageSummary } from "@/lib/features/metrics/usage-summary";

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
/** Traffic, errors and latency of the last day, with the way to more. */
export function Traffic({ tenant, summary }: { tenant: string; summary: UsageSummary }) {
  const calls = sum(summary.calls);
  const errors = sum(summary.errors);
  const measured = summary.p95.filter((value) => value !== null);
  const slowest = measured.length > 0 ? `${number(Math.max(...measured))} ms` : t("no calls");
  const figures = [
    { name: t("Calls"), value: number(calls), values: summary.calls },
    { name: t("Server errors"), value: number(errors), values: summary.errors },
    { name: t("Slowest hour, p95"), value: slowest, values: summary.p95 },
  ];
  const more = (
    <Link href={`/t/${tenant}/metrics`} className="text-control text-accent hover:underline">
      {t("All metrics")}
    </Link>
  );
  return (
    <Card id="traffic" title={t("Last 24 hours")} actions={more}>
      <dl className="grid gap-4 sm:grid-cols-3">
        {figures.map(({ name, value, values }) => (
          <div key={name}>
            <dt className="text-body text-muted">{name}</dt>
            <dd className="figures text-figure">{value}</dd>
            <dd>
              <Sparkline
                values={values}
                isOpenEnded
                label={t("{name} by hour: {value}", { name, value })}
                width={220}
                height={36}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
