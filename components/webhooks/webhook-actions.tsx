"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
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
    const { durationMs, problem, status } = attempt;
    void notify(
      delivered
        ? t("Test delivered: {status} ({durationMs} ms)", { status: status ?? "", durationMs })
        : t("Test failed. {problem} ({durationMs} ms)", { problem: problem ?? "", durationMs }),
    );
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
        {t("Send test")}
      </Button>
      <Button busy={change.busy} onClick={() => void change.run()}>
        {isEnabled ? t("Disable") : t("Enable")}
      </Button>
      <Button onClick={() => setOpened("rotate")}>{t("Rotate secret")}</Button>
      <Button tone="danger" onClick={() => setOpened("delete")}>
        {t("Delete")}
      </Button>
      {opened === "rotate" ? (
        <RotateDialog
          rotate={(body) => call("POST /v1/webhooks/{id}/rotate", { params: { id }, body })}
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
    void notify(t("Webhook deleted"));
  };
  return (
    <ActionDialog
      title={t("Delete webhook")}
      confirm={t("Delete webhook")}
      keep={t("Keep webhook")}
      danger
      failed={t("The webhook was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        {t(
          "Nothing more is sent to {url}. Its deliveries are deleted, also those that are still pending.",
          { url: webhook.url },
        )}
      </p>
    </ActionDialog>
  );
}
