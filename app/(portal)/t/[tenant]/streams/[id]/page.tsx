import { firstAnswer } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { streamKeys } from "@/components/audit-streams/query-keys";
import { StreamPage } from "@/components/audit-streams/stream-page";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import * as contract from "@/lib/features/destinations/audit-streams/contract";
import { getAuditStream } from "@/lib/features/destinations/audit-streams/service";

export const generateMetadata = titled(msg("Audit stream"));

export default async function OneStreamPage({ params }: PageProps<"/t/[tenant]/streams/[id]">) {
  const { tenant, id } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/streams/${id}`,
    permission: "audit.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async (caller) => {
    const stream = getAuditStream({ caller, params: { id } });
    const data = await firstAnswer(contract.getAuditStream, stream);
    return (
      <Seed queryKey={streamKeys.one(tenant, id)} data={data}>
        <StreamPage id={id} />
      </Seed>
    );
  });
}
