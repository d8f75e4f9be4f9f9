import { portalPage } from "@/app/(portal)/portal-page";
import { settingsFor } from "@/app/(portal)/t/[tenant]/settings/settings-for";
import { titled } from "@/app/titled";
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
  return portalPage(needs, settingsFor);
}
