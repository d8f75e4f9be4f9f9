"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DestinationActions } from "@/components/destinations/actions";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { AuditStream } from "@/lib/features/destinations/audit-streams/contract";
import { streamKeys } from "./query-keys";
import { fieldPointers, StreamFields, settingsOf } from "./stream-fields";
import { placeOf } from "./stream-state";

/** The actions available for an audit stream. */
export function StreamActions({ stream }: { stream: AuditStream }) {
  const { view, call } = usePortal();
  const { tenant } = view;
  const [isChanging, setIsChanging] = useState(false);
  const params = { id: stream.id };
  return (
    <DestinationActions
      destination={stream}
      operations={{
        test: () => call("POST /v1/audit/streams/{id}/test", { params }),
        enable: () => call("POST /v1/audit/streams/{id}/enable", { params }),
        disable: () => call("POST /v1/audit/streams/{id}/disable", { params }),
        remove: () => call("DELETE /v1/audit/streams/{id}", { params }),
        rotate:
          stream.kind === "https"
            ? (body) => call("POST /v1/audit/streams/{id}/rotate", { params, body })
            : undefined,
      }}
      keys={{ all: streamKeys.all(tenant), list: streamKeys.list(tenant) }}
      tested={(delivered, { durationMs, problem }) =>
        delivered
          ? t("Test delivered ({durationMs} ms)", { durationMs })
          : t("Test failed. {problem} ({durationMs} ms)", { problem: problem ?? "", durationMs })
      }
      removal={{
        title: t("Delete stream"),
        keep: t("Keep stream"),
        failed: t("The stream was not deleted"),
        done: t("Audit stream deleted"),
        path: `/t/${tenant}/streams`,
        loss: t(
          "Nothing more is sent to {placeOf}. Its position in the trail is lost: a new stream begins now, or at the oldest entry that is kept.",
          { placeOf: placeOf(stream) },
        ),
      }}
    >
      <Button onClick={() => setIsChanging(true)}>{t("Change")}</Button>
      {isChanging ? <ChangeDialog stream={stream} onClose={() => setIsChanging(false)} /> : null}
    </DestinationActions>
  );
}

interface ChangeDialogProps {
  stream: AuditStream;
  onClose: () => void;
}

function ChangeDialog({ stream, onClose }: ChangeDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { id, kind } = stream;
  const change = async (form: FormData) => {
    const isCaRemoved = stream.ca !== undefined && textOf(form, "ca") === "";
    const body = {
      ...settingsOf(form, kind),
      ...(isCaRemoved ? { ca: null } : {}),
      description: textOf(form, "description"),
    };
    await call("PATCH /v1/audit/streams/{id}", { params: { id }, body });
    await queries.invalidateQueries({ queryKey: streamKeys.all(view.tenant) });
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
