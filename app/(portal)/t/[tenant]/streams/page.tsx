import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { StreamsPage } from "@/components/audit-streams/streams-page";

export const metadata: Metadata = { title: "Audit streams" };

export default async function TenantStreamsPage({ params }: PageProps<"/t/[tenant]/streams">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/streams`,
    permission: "audit.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <StreamsPage />);
}
