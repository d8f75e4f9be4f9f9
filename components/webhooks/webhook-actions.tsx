"use client";

import { DestinationActions } from "@/components/destinations/actions";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { webhookKeys } from "./query-keys";

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
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
