import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { StreamPage } from "@/components/audit-streams/stream-page";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Audit stream"));

export default async function OneStreamPage({ params }: PageProps<"/t/[tenant]/streams/[id]">) {
  const { tenant, id } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/streams/${id}`,
    permission: "audit.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <StreamPage id={id} />);
}
