import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { RequestView } from "@/components/request-log/request-view";

export const metadata: Metadata = { title: "Request" };

export default async function RequestPage({ params }: PageProps<"/t/[tenant]/requests/[id]">) {
  const { tenant, id } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/requests/${id}`,
    permission: "audit.read",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <RequestView id={id} />);
}
