import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { RequestsView } from "@/components/request-log/requests-view";

export const metadata: Metadata = { title: "Requests" };

export default async function RequestsPage({ params }: PageProps<"/t/[tenant]/requests">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/requests`,
    permission: "audit.read",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <RequestsView />);
}
