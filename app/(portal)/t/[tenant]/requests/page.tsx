import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { RequestsView } from "@/components/request-log/requests-view";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Requests"));

export default async function RequestsPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/requests">) {
  const { tenant } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/requests`;
  const needs = {
    tenant,
    path,
    permission: "audit.read",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "requests", path, query });
    return <RequestsView />;
  });
}
