"use client";

import { useQuery } from "@tanstack/react-query";
import { DestinationActions } from "@/components/destinations/actions";
import { DestinationHead } from "@/components/destinations/page";
import { DestinationState } from "@/components/destinations/table";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { msg, t } from "@/components/texts/t";
import { Card, Facts } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import type { Webhook } from "@/lib/features/destinations/webhooks/contract";
import { Deliveries } from "./deliveries";
import { webhookKeys } from "./query-keys";
import { useWebhookQuery } from "./webhook-queries";

/** The actions available for a webhook. */
function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { view, call } = usePortal();
  const { tenant } = view;
  const params = { id: webhook.id };
  return (
    <DestinationActions
      destination={webhook}
      operations={{
        test: () => call("POST /v1/webhooks/{id}/test", { params }),
        enable: () => call("POST /v1/webhooks/{id}/enable", { params }),
        disable: () => call("POST /v1/webhooks/{id}/disable", { params }),
        remove: () => call("DELETE /v1/webhooks/{id}", { params }),
        rotate: (body) => call("POST /v1/webhooks/{id}/rotate", { params, body }),
      }}
      keys={{ all: webhookKeys.all(tenant), list: webhookKeys.list(tenant) }}
      tested={(delivered, { durationMs, problem, status }) =>
        delivered
          ? t("Test delivered: {status} ({durationMs} ms)", { status: status ?? "", durationMs })
          : t("Test failed. {problem} ({durationMs} ms)", { problem: problem ?? "", durationMs })
      }
      removal={{
        title: t("Delete webhook"),
        keep: t("Keep webhook"),
        failed: t("The webhook was not deleted"),
        done: t("Webhook deleted"),
        path: `/t/${tenant}/webhooks`,
        loss: t(
          "Nothing more is sent to {url}. Its deliveries are deleted, also those that are still pending.",
          { url: webhook.url },
        ),
      }}
    />
  );
}

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
