import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { AuditView } from "@/components/audit/audit-view";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Audit"));

export default async function AuditPage({ params, searchParams }: PageProps<"/t/[tenant]/audit">) {
  const { tenant } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/audit`;
  const needs = {
    tenant,
    path,
    permission: "audit.read",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "audit", path, query });
    return <AuditView />;
  });
}
