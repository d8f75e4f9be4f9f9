import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { MetricsView } from "@/components/metrics/metrics-view";
import { metricsKey, readMetricsState } from "@/components/metrics/state";
import { Seed } from "@/components/shell/seed";
import { readMetricsPage } from "./read-metrics-page";

export const metadata: Metadata = { title: "Metrics" };

export default async function MetricsPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/metrics">) {
  const { tenant } = await params;
  const state = readMetricsState(await searchParams);
  const needs = { tenant, path: `/t/${tenant}/metrics`, permission: "api-metric.read" } as const;
  return portalPage(needs, async (caller) => (
    <Seed queryKey={metricsKey(tenant, state)} data={await readMetricsPage(caller, state)}>
      <MetricsView />
    </Seed>
  ));
}
