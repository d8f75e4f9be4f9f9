import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { WebhookPage } from "@/components/webhooks/webhook-page";

export const generateMetadata = titled(msg("Webhook"));

export default async function OneWebhookPage({ params }: PageProps<"/t/[tenant]/webhooks/[id]">) {
  const { tenant, id } = await params;
  const needs = {
    tenant,
    path: `/t/${tenant}/webhooks/${id}`,
    permission: "webhook.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async () => <WebhookPage id={id} />);
}
