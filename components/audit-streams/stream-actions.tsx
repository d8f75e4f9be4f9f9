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
import { textOf, useAction } from "@/components/ui/use-action";
import { RotateDialog } from "@/components/webhooks/rotate-dialog";
import type { AuditStream } from "@/lib/features/audit-streams/contract";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery-attempt";
import { streamKeys } from "./query-keys";
import { fieldPointers, StreamFields, settingsOf } from "./stream-fields";
import { placeOf } from "./stream-state";

interface StreamProps {
  stream: AuditStream;
}

function useReload() {
  const { view } = usePortal();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: streamKeys.all(view.tenant) });
}

function outcomeOf(delivered: boolean, { durationMs, problem }: DeliveryAttempt): string {
  return delivered
    ? t("Test delivered ({durationMs} ms)", { durationMs })
    : t("Test failed. {problem} ({durationMs} ms)", { problem: problem ?? "", durationMs });
}

/** What can be done with an audit stream. */
export function StreamActions({ stream }: StreamProps) {
  const { call } = usePortal();
  const reload = useReload();
  const [opened, setOpened] = useState<"change" | "rotate" | "delete">();
  const params = { id: stream.id };
  const test = useAction(async () => {
    const { delivered, attempt } = await call("POST /v1/audit/streams/{id}/test", { params });
    void notify(outcomeOf(delivered, attempt));
  });
  const isEnabled = stream.status === "enabled";
  const pause = useAction(async () => {
    if (isEnabled) await call("POST /v1/audit/streams/{id}/disable", { params });
    else await call("POST /v1/audit/streams/{id}/enable", { params });
    await reload();
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={test.busy} onClick={() => void test.run()}>
        {t("Send test")}
      </Button>
      <Button busy={pause.busy} onClick={() => void pause.run()}>
        {isEnabled ? t("Disable") : t("Enable")}
      </Button>
      <Button onClick={() => setOpened("change")}>{t("Change")}</Button>
      {stream.kind === "https" ? (
        <Button onClick={() => setOpened("rotate")}>{t("Rotate secret")}</Button>
      ) : null}
      <Button tone="danger" onClick={() => setOpened("delete")}>
        {t("Delete")}
      </Button>
      {opened === "change" ? (
        <ChangeDialog stream={stream} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened === "rotate" ? (
        <RotateDialog
          rotate={(body) => call("POST /v1/audit/streams/{id}/rotate", { params, body })}
          onDone={() => void reload()}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {opened === "delete" ? (
        <DeleteDialog stream={stream} onClose={() => setOpened(undefined)} />
      ) : null}
    </div>
  );
}

interface DialogProps extends StreamProps {
  onClose: () => void;
}

function ChangeDialog({ stream, onClose }: DialogProps) {
  const { call } = usePortal();
  const reload = useReload();
  const { id, kind } = stream;
  const change = async (form: FormData) => {
    const isCaRemoved = stream.ca !== undefined && textOf(form, "ca") === "";
    const body = {
      ...settingsOf(form, kind),
      ...(isCaRemoved ? { ca: null } : {}),
      description: textOf(form, "description"),
    };
    await call("PATCH /v1/audit/streams/{id}", { params: { id }, body });
    await reload();
    void notify(t("Audit stream changed"));
  };
  return (
    <ActionDialog
      title={t("Change stream")}
      description={t(
        "It goes on after the last entry that was delivered. What failed before is tried again at once.",
      )}
      confirm={t("Save changes")}
      failed={t("The stream was not changed")}
      onConfirm={change}
      onClose={onClose}
      fields={fieldPointers}
    >
      {(errors) => <StreamFields kind={kind} errors={errors} stream={stream} />}
    </ActionDialog>
  );
}

function DeleteDialog({ stream, onClose }: DialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = async () => {
    const params = { id: stream.id };
    await deleteShown(queries, params.id, () => call("DELETE /v1/audit/streams/{id}", { params }));
    router.push(`/t/${view.tenant}/streams`);
    void queries.invalidateQueries({ queryKey: streamKeys.list(view.tenant) });
    void notify(t("Audit stream deleted"));
  };
  return (
    <ActionDialog
      title={t("Delete stream")}
      confirm={t("Delete stream")}
      keep={t("Keep stream")}
      danger
      failed={t("The stream was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        {t(
          "Nothing more is sent to {placeOf}. Its position in the trail is lost: a new stream begins now, or at the oldest entry that is kept.",
          { placeOf: placeOf(stream) },
        )}
      </p>
    </ActionDialog>
  );
}
