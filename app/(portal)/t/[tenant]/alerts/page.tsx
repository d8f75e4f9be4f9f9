import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AlertsPage } from "@/components/alerts/alerts-page";
import { msg } from "@/components/texts/t";

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
    return <AlertsPage />;
  });
}
