import { firstPage } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { streamKeys } from "@/components/audit-streams/query-keys";
import { StreamsPage } from "@/components/audit-streams/streams-page";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/destinations/audit-streams/contract";
import { listAuditStreams } from "@/lib/features/destinations/audit-streams/service";

export const generateMetadata = titled(msg("Audit streams"));

export default async function TenantStreamsPage({ params }: PageProps<"/t/[tenant]/streams">) {
  const { tenant } = await params;
  const path = `/t/${tenant}/streams`;
  const needs = { tenant, path, permission: "audit.manage", isTenantWide: true } as const;
  return portalPage(needs, async (caller) => {
    const found = await firstPage(caller, contract.listAuditStreams, listAuditStreams, {
      limit: "50",
    });
    return (
      <Seed queryKey={streamKeys.list(tenant)} data={found}>
        <StreamsPage />
      </Seed>
    );
  });
}
