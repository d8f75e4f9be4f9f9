"use client";

import { useQuery } from "@tanstack/react-query";
import { DestinationHead } from "@/components/destinations/page";
import { DestinationState } from "@/components/destinations/table";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { msg, t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { Deliveries } from "./deliveries";
import { WebhookActions } from "./webhook-actions";
import { useWebhookQuery } from "./webhook-queries";

/** One webhook: its events, its state and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const { view } = usePortal();
  const found = useQuery(useWebhookQuery(id));
  return (
    <Loaded found={found} failed={t("The webhook could not be loaded")} skeleton="h-96">
      {(webhook) => (
        <>
          <DestinationHead
            above={{ label: t("Webhooks"), href: `/t/${view.tenant}/webhooks` }}
            place={new URL(webhook.url).host}
            description={webhook.description}
            actions={<WebhookActions webhook={webhook} />}
          />
          <div className="flex flex-col gap-6">
            <Remark webhook={webhook} />
            <Card title={t("Webhook")} id="webhook">
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
    {
      name: t("State"),
      value: <DestinationState destination={webhook} failingSince={webhook.failingSince} />,
    },
    { name: t("Events"), value: <code className="text-meta">{types.join(", ")}</code> },
    { name: t("Site"), value: site ?? t("all sites and the tenant") },
    { name: t("Created"), value: <Instant at={createdAt} form="full" /> },
    ...(previousSecretValidTo
      ? [
          {
            name: t("Previous secret"),
            value: (
              <>
                {rich("signs until {when}", {
                  when: <Instant at={previousSecretValidTo} form="full" />,
                })}
              </>
            ),
          },
        ]
      : []),
  ];
}

const reasons = {
  "by-user": msg(
    "Somebody disabled this webhook. Events of the last 30 days follow once it is enabled.",
  ),
  failing: msg(
    "This webhook was disabled because no delivery succeeded for three days. Repair the endpoint, send a test, then enable it.",
  ),
  gone: msg("This webhook was disabled because its URL answered 410 Gone."),
};

function Remark({ webhook }: { webhook: Webhook }) {
  if (webhook.disabledReason)
    return <Notice tone="warning">{t(reasons[webhook.disabledReason])}</Notice>;
  if (!webhook.failingSince) return null;
  return (
    <Notice tone="warning">
      {rich("No delivery has succeeded since {when}. Deliveries are retried for three days.", {
        when: <Instant at={webhook.failingSince} form="full" />,
      })}
    </Notice>
  );
}
