"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { DestinationsPage } from "@/components/destinations/page";
import { DestinationState, DestinationsTable } from "@/components/destinations/table";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { CreateWebhook } from "./create-dialog";
import { useWebhooksQuery } from "./webhook-queries";

/** Where events are sent. */
export function WebhooksPage() {
  const { view } = usePortal();
  const found = useInfiniteQuery(useWebhooksQuery());
  return (
    <DestinationsPage
      found={found}
      title={t("Webhooks")}
      lead={t("Send events of this tenant to your own services, signed and in order.")}
      create={t("Create webhook")}
      failed={t("The webhooks could not be loaded")}
      more={t("Show more webhooks")}
      empty={{
        title: t("No webhooks yet"),
        purpose: t(
          "A webhook receives each event within seconds: users, keys, sites, previews and customers.",
        ),
        create: t("Create the first webhook"),
        curl: curlByKey(view, "/v1/webhooks", {
          headers: [["Content-Type", "application/json"]],
          data: '{"url":"https://hooks.example.com/gatehouse","types":["user.*"]}',
        }),
        about: t("the call that creates a webhook"),
      }}
      dialog={(onClose) => <CreateWebhook onClose={onClose} />}
    >
      {(webhooks) => <WebhooksTable webhooks={webhooks} />}
    </DestinationsPage>
  );
}

function WebhooksTable({ webhooks }: { webhooks: Webhook[] }) {
  const { view } = usePortal();
  const muted = "text-muted";
  return (
    <DestinationsTable
      label={t("Webhooks, newest first")}
      name={t("URL")}
      items={webhooks}
      pathOf={({ id }) => `/t/${view.tenant}/webhooks/${id}`}
      placeOf={({ url }) => url}
      columns={[
        {
          name: t("Events"),
          cell: ({ types }) => types.join(", "),
          className: "max-w-64 truncate text-muted",
        },
        { name: t("Site"), cell: ({ site }) => site ?? t("all"), className: muted },
        {
          name: t("State"),
          cell: (one) => <DestinationState destination={one} failingSince={one.failingSince} />,
        },
        { name: t("Created"), cell: (one) => <Instant at={one.createdAt} />, className: muted },
      ]}
    />
  );
}
