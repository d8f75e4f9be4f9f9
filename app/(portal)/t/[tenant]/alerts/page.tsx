import { firstPage } from "@/app/(portal)/first-page";
import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AlertsPage } from "@/components/alerts/alerts-page";
import { alertKeys } from "@/components/alerts/query-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/alerts/contract";
import { listAlerts } from "@/lib/features/alerts/service";

export const generateMetadata = titled(msg("Alerts"));

export default async function TenantAlertsPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/alerts">) {
  const { tenant } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/alerts`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async (caller) => {
    await openDefaultView(caller, { page: "alerts", path, query });
    const found = await firstPage(caller, contract.listAlerts, listAlerts, { limit: "200" });
    return (
      <Seed queryKey={alertKeys.list(tenant)} data={found}>
        <AlertsPage />
      </Seed>
    );
  });
}
