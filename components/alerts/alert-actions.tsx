"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field, Select } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { deleteShown } from "@/components/ui/gone";
import { notify } from "@/components/ui/toast";
import type { Alert } from "@/lib/features/alerts/contract";
import { useAlertSite, useReload } from "./alert-queries";
import { isMuted } from "./alert-words";
import { alertKeys } from "./query-keys";
import { RuleDialog } from "./rule-dialog";

interface AlertProps {
  alert: Alert;
}

/** The actions available for an alert. */
export function AlertActions({ alert }: AlertProps) {
  const { call } = usePortal();
  const site = useAlertSite();
  const reload = useReload();
  const [opened, setOpened] = useState<"mute" | "change" | "delete">();
  const asked = { site, params: { id: alert.id } };
  const acknowledge = useAction(async () => {
    await call("POST /v1/alerts/{id}/acknowledge", asked);
    await reload();
    void notify(t("Alert acknowledged"));
  });
  const unmute = useAction(async () => {
    await call("POST /v1/alerts/{id}/mute", { ...asked, body: { until: null } });
    await reload();
    void notify(t("Alert unmuted"));
  });
  const close = () => setOpened(undefined);
  const isWaiting = alert.state.status === "firing" && alert.state.acknowledgedAt === null;
  return (
    <div className="flex flex-wrap gap-2">
      {isWaiting ? (
        <Button tone="primary" busy={acknowledge.busy} onClick={() => void acknowledge.run()}>
          {t("Acknowledge")}
        </Button>
      ) : null}
      {isMuted(alert) ? (
        <Button busy={unmute.busy} onClick={() => void unmute.run()}>
          {t("Unmute")}
        </Button>
      ) : (
        <Button onClick={() => setOpened("mute")}>{t("Mute")}</Button>
      )}
      <Button onClick={() => setOpened("change")}>{t("Change")}</Button>
      <Button tone="danger" onClick={() => setOpened("delete")}>
        {t("Delete")}
      </Button>
      {opened === "mute" ? <MuteDialog alert={alert} onClose={close} /> : null}
      {opened === "change" ? <RuleDialog alert={alert} onClose={close} /> : null}
      {opened === "delete" ? <DeleteDialog alert={alert} onClose={close} /> : null}
    </div>
  );
}

const spans = [
  { hours: 1, label: msg("1 hour") },
  { hours: 8, label: msg("8 hours") },
  { hours: 24, label: msg("1 day") },
  { hours: 168, label: msg("7 days") },
  { hours: 720, label: msg("30 days") },
];

interface DialogProps extends AlertProps {
  onClose: () => void;
}

function MuteDialog({ alert, onClose }: DialogProps) {
  const { call } = usePortal();
  const site = useAlertSite();
  const reload = useReload();
  const mute = async (form: FormData) => {
    const until = new Date(serverNow() + Number(textOf(form, "hours")) * 3_600_000).toISOString();
    const asked = { site, params: { id: alert.id }, body: { until } };
    await call("POST /v1/alerts/{id}/mute", asked);
    await reload();
    void notify(t("Alert muted"));
  };
  return (
    <ActionDialog
      title={t("Mute alert")}
      description={t(
        "It is still checked and keeps its history, and makes no events. If it still fires afterwards, the event follows then.",
      )}
      confirm={t("Mute alert")}
      failed={t("The alert was not muted")}
      onConfirm={mute}
      onClose={onClose}
    >
      <Field label={t("For")}>
        {(control) => (
          <Select {...control} name="hours" defaultValue="8">
            {spans.map(({ hours, label }) => (
              <option key={hours} value={hours}>
                {t(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </ActionDialog>
  );
}

function DeleteDialog({ alert, onClose }: DialogProps) {
  const { view, call } = usePortal();
  const site = useAlertSite();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = async () => {
    const { id } = alert;
    await deleteShown(queries, id, () => call("DELETE /v1/alerts/{id}", { site, params: { id } }));
    router.push(`/t/${view.tenant}/alerts`);
    void queries.invalidateQueries({ queryKey: alertKeys.list(view.tenant) });
    void notify(t("Alert deleted"));
  };
  return (
    <ActionDialog
      title={t("Delete alert")}
      confirm={t("Delete alert")}
      keep={t("Keep alert")}
      danger
      failed={t("The alert was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        {t("{name} is deleted with its history. Entries of the audit trail stay.", {
          name: alert.name,
        })}
      </p>
    </ActionDialog>
  );
}
