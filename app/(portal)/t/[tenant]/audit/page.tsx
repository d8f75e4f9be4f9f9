import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { AuditView } from "@/components/audit/audit-view";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage({ params }: PageProps<"/t/[tenant]/audit">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/audit`,
    permission: "audit.read",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <AuditView />);
}
