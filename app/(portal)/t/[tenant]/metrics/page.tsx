import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { MetricsView } from "@/components/metrics/metrics-view";
import { inZoneOf, metricsKey, readMetricsState } from "@/components/metrics/state";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { readMetricsPage, zoneFor } from "./read-metrics-page";

export const generateMetadata = titled(msg("Metrics"));

export default async function MetricsPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/metrics">) {
  const { tenant } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/metrics`;
  const needs = { tenant, path, permission: "api-metric.read" } as const;
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "metrics", path, query });
    const zone = await zoneFor(caller);
    const state = inZoneOf(zone, readMetricsState(query));
    return (
      <Seed queryKey={metricsKey(tenant, state)} data={await readMetricsPage(caller, state)}>
        <MetricsView readersZone={zone} />
      </Seed>
    );
  });
}
