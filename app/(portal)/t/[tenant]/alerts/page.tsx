import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { AlertsPage } from "@/components/alerts/alerts-page";

export const metadata: Metadata = { title: "Alerts" };

export default async function TenantAlertsPage({ params }: PageProps<"/t/[tenant]/alerts">) {
  const { tenant } = await params;
  const path = `/t/${tenant}/alerts`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async () => <AlertsPage />);
}
