import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";

export const generateMetadata = titled(msg("Webhooks"));

export default async function TenantWebhooksPage({ params }: PageProps<"/t/[tenant]/webhooks">) {
  const { tenant } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/webhooks`,
    permission: "webhook.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <WebhooksPage />);
}
