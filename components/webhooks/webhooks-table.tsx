"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { WebhookState } from "./webhook-state";

export function WebhooksTable({ webhooks }: { webhooks: Webhook[] }) {
  const { view } = usePortal();
  return (
    <DataTable label={t("Webhooks, newest first")} className="[--row:40px]">
      <thead>
        <tr>
          <HeadCell>{t("URL")}</HeadCell>
          <HeadCell>{t("Events")}</HeadCell>
          <HeadCell>{t("Site")}</HeadCell>
          <HeadCell>{t("State")}</HeadCell>
          <HeadCell>{t("Created")}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <Row key={webhook.id}>
            <Cell className="max-w-96 truncate">
              <Link
                href={`/t/${view.tenant}/webhooks/${webhook.id}`}
                className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
              >
                {webhook.url}
              </Link>
              {webhook.description ? (
                <span className="block truncate text-meta text-muted">{webhook.description}</span>
              ) : null}
            </Cell>
            <Cell className="max-w-64 truncate text-muted">{webhook.types.join(", ")}</Cell>
            <Cell className="text-muted">{webhook.site ?? t("all")}</Cell>
            <Cell>
              <WebhookState webhook={webhook} />
            </Cell>
            <Cell className="text-muted">
              <Instant at={webhook.createdAt} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
