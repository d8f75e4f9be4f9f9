"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { Deliveries } from "./deliveries";
import { WebhookActions } from "./webhook-actions";
import { useWebhookQuery } from "./webhook-queries";
import { WebhookState } from "./webhook-state";

/** One webhook: what it gets, how it does, and what was sent to it. */
export function WebhookPage({ id }: { id: string }) {
  const { view } = usePortal();
  const found = useQuery(useWebhookQuery(id));
  return (
    <Loaded found={found} failed="The webhook could not be loaded" skeleton="h-96">
      {(webhook) => (
        <>
          <Breadcrumb
            above={[{ label: "Webhooks", href: `/t/${view.tenant}/webhooks` }]}
            here={new URL(webhook.url).host}
          />
          <PageHeader
            title={new URL(webhook.url).host}
            lead={webhook.description || undefined}
            actions={<WebhookActions webhook={webhook} />}
          />
          <div className="flex flex-col gap-6">
            <Remark webhook={webhook} />
            <Card title="Webhook" id="webhook">
              <Facts facts={factsOf(webhook)} />
            </Card>
            <Deliveries id={id} />
          </div>
        </>
      )}
    </Loaded>
  );
}

function factsOf(webhook: Webhook) {
  const { url, types, site, createdAt, previousSecretValidTo } = webhook;
  return [
    { name: "URL", value: <code className="text-meta">{url}</code> },
    { name: "State", value: <WebhookState webhook={webhook} /> },
    { name: "Events", value: <code className="text-meta">{types.join(", ")}</code> },
    { name: "Site", value: site ?? "all sites and the tenant" },
    { name: "Created", value: <Instant at={createdAt} form="full" /> },
    ...(previousSecretValidTo
      ? [
          {
            name: "Previous secret",
            value: (
              <>
                signs until <Instant at={previousSecretValidTo} form="full" />
              </>
            ),
          },
        ]
      : []),
  ];
}

const reasons = {
  "by-user":
    "Somebody disabled this webhook. Events of the last 30 days follow once it is enabled.",
  failing:
    "This webhook was disabled because no delivery succeeded for three days. Repair the endpoint, send a test, then enable it.",
  gone: "This webhook was disabled because its URL answered 410 Gone.",
};

function Remark({ webhook }: { webhook: Webhook }) {
  if (webhook.disabledReason)
    return <Notice tone="warning">{reasons[webhook.disabledReason]}</Notice>;
  if (!webhook.failingSince) return null;
  return (
    <Notice tone="warning">
      No delivery has succeeded since <Instant at={webhook.failingSince} form="full" />. Deliveries
      are retried for three days.
    </Notice>
  );
}
