import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { SettingsView } from "@/components/tenants/settings-view";
import { msg } from "@/components/texts/t";

export const generateMetadata = titled(msg("Settings"));

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
