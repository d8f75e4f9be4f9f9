import { openDefaultView } from "@/app/(portal)/open-default-view";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { msg } from "@/components/texts/t";
import { webhookFor } from "./webhook-for";

export const generateMetadata = titled(msg("Webhook"));

export default async function OneWebhookPage({
  params,
  searchParams,
}: PageProps<"/t/[tenant]/webhooks/[id]">) {
  const { tenant, id } = await params;
  const query = await searchParams;
  const path = `/t/${tenant}/webhooks/${id}`;
  const needs = {
    tenant,
    path,
    permission: "webhook.manage",
    isTenantWide: true,
  } as const;
  return portalPage(needs, async (caller) => {
    await openDefaultView(caller, { page: "deliveries", path, query });
    return webhookFor(caller, id, query);
  });
}
