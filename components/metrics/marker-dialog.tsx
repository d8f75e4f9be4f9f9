"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { serverNow } from "@/components/ui/clock";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { browserZone, zoneName } from "@/components/ui/instant-words";
import { notify } from "@/components/ui/toast";
import { wallText } from "./wall-time";

const kinds = ["deploy", "incident", "configuration", "campaign"];

/** Adds a marker to the charts. Input is kept as a draft. */
export function MarkerDialog({ onClose }: { onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const save = async (form: FormData) => {
    const url = textOf(form, "url");
    const body = {
      title: textOf(form, "title"),
      kind: textOf(form, "kind"),
      at: new Date(textOf(form, "at")).toISOString(),
      ...(url === "" ? {} : { url }),
    };
    await call("POST /v1/api-metrics/markers", { body });
    await queries.invalidateQueries({ queryKey: [view.tenant, "metrics"] });
    void notify(t("Marker added"));
  };
  return (
    <ActionDialog
      title={t("Add marker")}
      description={t(
        "A line on the charts of everybody in this tenant, kept for 400 days. You can remove it.",
      )}
      confirm={t("Add marker")}
      failed={t("The marker was not added")}
      onConfirm={save}
      onClose={onClose}
      draft="marker"
      fields={["/title", "/kind", "/at", "/url"]}
    >
      {(errors) => <MarkerFields errors={errors} />}
    </ActionDialog>
  );
}

function MarkerFields({ errors }: { errors: Record<string, string> }) {
  return (
    <>
      <TextField
        name="title"
        label={t("Title")}
        placeholder={t("Checkout 2.4 deployed")}
        required
        maxLength={128}
        error={errors["/title"]}
        data-autofocus
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="kind"
          label={t("Kind")}
          hint={t("Lower-case letters, digits and hyphens.")}
          list="marker-kinds"
          defaultValue="deploy"
          required
          isCode
          error={errors["/kind"]}
        />
        <datalist id="marker-kinds">
          {kinds.map((kind) => (
            <option key={kind} value={kind} />
          ))}
        </datalist>
        <TextField
          name="at"
          label={t("When ({zoneName} time)", { zoneName: zoneName() })}
          hint={t("At most 400 days ago and 7 days ahead.")}
          type="datetime-local"
          defaultValue={wallText(serverNow(), browserZone())}
          required
          error={errors["/at"]}
        />
      </div>
      <TextField
        name="url"
        label={t("Link (optional)")}
        type="url"
        placeholder="https://…"
        isCode
        error={errors["/url"]}
      />
    </>
  );
}
