import { firstPage } from "@/app/(portal)/first-page";
import { portalPage } from "@/app/(portal)/portal-page";
import { titled } from "@/app/titled";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { webhookKeys } from "@/components/webhooks/query-keys";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";
import * as contract from "@/lib/features/destinations/webhooks/contract";
import { listWebhooks } from "@/lib/features/destinations/webhooks/service";

export const generateMetadata = titled(msg("Webhooks"));

export default async function TenantWebhooksPage({ params }: PageProps<"/t/[tenant]/webhooks">) {
  const { tenant } = await params;
  const path = `/t/${tenant}/webhooks`;
  const needs = { tenant, path, permission: "webhook.manage", isTenantWide: true } as const;
  return portalPage(needs, async (caller) => {
    const found = await firstPage(caller, contract.listWebhooks, listWebhooks, { limit: "200" });
    return (
      <Seed queryKey={webhookKeys.list(tenant)} data={found}>
        <WebhooksPage />
      </Seed>
    );
  });
}
