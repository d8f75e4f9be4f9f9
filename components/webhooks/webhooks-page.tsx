"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAskedAction } from "@/components/shell/asked-action";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListResult } from "@/components/ui/list-result";
import { PageHeader } from "@/components/ui/page-header";
import { CreateDialog } from "./create-dialog";
import { useWebhooksQuery } from "./webhook-queries";
import { WebhooksTable } from "./webhooks-table";

/** Where events are sent. */
export function WebhooksPage() {
  const found = useInfiniteQuery(useWebhooksQuery());
  const [action, setAction] = useAskedAction(["create"]);
  const create = (
    <Button tone="primary" onClick={() => setAction("create")}>
      {t("Create webhook")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("Webhooks")}
        wide
        lead={t("Send events of this tenant to your own services, signed and in order.")}
        actions={create}
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          found={found}
          failed={t("The webhooks could not be loaded")}
          more={t("Show more webhooks")}
          empty={
            <EmptyState
              title={t("No webhooks yet")}
              purpose={t(
                "A webhook receives each event within seconds: users, keys, sites, previews and customers.",
              )}
            />
          }
        >
          {(webhooks) => <WebhooksTable webhooks={webhooks} />}
        </ListResult>
      </div>
      {action ? <CreateDialog onClose={() => setAction(undefined)} /> : null}
    </>
  );
}
