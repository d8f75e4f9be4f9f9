import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AlertsPage } from "@/components/alerts/alerts-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Alerts"));

export default async function TenantAlertsPage({ params }: PageProps<"/t/[tenant]/alerts">) {
  const { tenant } = await params;
  const path = `/t/${tenant}/alerts`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async () => <AlertsPage />);
}
