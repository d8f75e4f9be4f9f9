import type { Metadata } from "next";
import { portalPage } from "@/app/(portal)/portal-page";
import { SettingsView } from "@/components/tenants/settings-view";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage({ params }: PageProps<"/t/[tenant]/settings">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/settings`,
    permission: "tenant.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <SettingsView />);
}
