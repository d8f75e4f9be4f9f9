import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { RequestView } from "@/components/request-log/request-view";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Request"));

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
