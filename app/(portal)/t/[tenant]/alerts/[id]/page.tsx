import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { AlertPage } from "@/components/alerts/alert-page";

export const metadata: Metadata = { title: "Alert" };

export default async function OneAlertPage({ params }: PageProps<"/t/[tenant]/alerts/[id]">) {
  const { tenant, id } = await params;
  const path = `/t/${tenant}/alerts/${id}`;
  return portalPage({ tenant, path, permission: "api-metric.read" }, async () => (
    <AlertPage id={id} />
  ));
}
