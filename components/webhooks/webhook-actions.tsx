"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button } from "@/components/ui/button";
import { deleteShown } from "@/components/ui/gone";
import { notify } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";
import type { Webhook } from "@/lib/features/webhooks/contract";
import { webhookKeys } from "./query-keys";
import { RotateDialog } from "./rotate-dialog";

type Opened = "rotate" | "delete" | undefined;

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened>();
  const { id } = webhook;
  const reload = () => queries.invalidateQueries({ queryKey: webhookKeys.all(view.tenant) });
  const test = useAction(async () => {
    const { delivered, attempt } = await call("POST /v1/webhooks/{id}/test", { params: { id } });
    const outcome = delivered ? `delivered: ${attempt.status}` : `failed. ${attempt.problem ?? ""}`;
    void notify(`Test ${outcome} (${attempt.durationMs} ms)`);
  });
  const isEnabled = webhook.status === "enabled";
  const change = useAction(async () => {
    const params = { id };
    if (isEnabled) await call("POST /v1/webhooks/{id}/disable", { params });
    else await call("POST /v1/webhooks/{id}/enable", { params });
    await reload();
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={test.busy} onClick={() => void test.run()}>
        Send test
      </Button>
      <Button busy={change.busy} onClick={() => void change.run()}>
        {isEnabled ? "Disable" : "Enable"}
      </Button>
      <Button onClick={() => setOpened("rotate")}>Rotate secret</Button>
      <Button tone="danger" onClick={() => setOpened("delete")}>
        Delete
      </Button>
      {opened === "rotate" ? (
        <RotateDialog
          rotate={(overlap) =>
            call("POST /v1/webhooks/{id}/rotate", { params: { id }, body: { overlap } })
          }
          onDone={() => void reload()}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {opened === "delete" ? (
        <DeleteDialog webhook={webhook} onClose={() => setOpened(undefined)} />
      ) : null}
    </div>
  );
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = async () => {
    const params = { id: webhook.id };
    await deleteShown(queries, params.id, () => call("DELETE /v1/webhooks/{id}", { params }));
    router.push(`/t/${view.tenant}/webhooks`);
    void queries.invalidateQueries({ queryKey: webhookKeys.list(view.tenant) });
    void notify("Webhook deleted");
  };
  return (
    <ActionDialog
      title="Delete webhook"
      confirm="Delete webhook"
      keep="Keep webhook"
      danger
      failed="The webhook was not deleted"
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        Nothing more is sent to {webhook.url}. Its deliveries are deleted, also those that are still
        pending.
      </p>
    </ActionDialog>
  );
}
