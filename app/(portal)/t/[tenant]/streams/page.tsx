import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { StreamsPage } from "@/components/audit-streams/streams-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Audit streams"));

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
