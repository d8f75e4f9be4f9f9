"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CreateDialog } from "@/components/destinations/create-dialog";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { Field, Select } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { type StreamKind, streamKinds } from "@/lib/features/destinations/values";
import { streamKeys } from "./query-keys";
import { fieldPointers, StreamFields, settingsOf } from "./stream-fields";
import { kindNames } from "./stream-state";

/** Creates a stream; one over HTTPS shows its secret once. */
export function CreateStream({ onClose }: { onClose: () => void }) {
  return (
    <CreateDialog
      title={t("Create stream")}
      ready={t("The stream is ready")}
      description={t(
        "Entries hold names and addresses of people. Send them only where the trail itself may be read.",
      )}
      form={(onCreated) => <CreateForm onCreated={onCreated} onClose={onClose} />}
      onClose={onClose}
    />
  );
}

interface CreateFormProps {
  onCreated: (secret: string) => void;
  onClose: () => void;
}

function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [kind, setKind] = useState<StreamKind>("https");
  const create = async (values: FormData) => {
    const from = textOf(values, "from") === "beginning" ? ("beginning" as const) : ("now" as const);
    const body = {
      kind,
      from,
      description: textOf(values, "description"),
      ...settingsOf(values, kind),
    };
    const created = await call("POST /v1/audit/streams", { body });
    void queries.invalidateQueries({ queryKey: streamKeys.all(view.tenant) });
    if (created.secret) return onCreated(created.secret);
    void notify(t("Audit stream created"));
    return onClose();
  };
  // A draft for each kind: each has other fields.
  const { busy, errors, error, form, draft } = useAction(create, fieldPointers, `stream-${kind}`);
  const cancel = () => {
    draft.forget();
    onClose();
  };
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The stream was not created")} error={error} /> : null}
      <KindField kind={kind} onChange={setKind} error={errors["/kind"]} />
      <StreamFields key={kind} kind={kind} errors={errors} />
      <Field label={t("Start with")} error={errors["/from"]}>
        {(control) => (
          <Select name="from" defaultValue="now" {...control}>
            <option value="now">{t("entries from now on")}</option>
            <option value="beginning">{t("the oldest entry that is kept")}</option>
          </Select>
        )}
      </Field>
      <DialogActions>
        <DraftLine draft={draft} />
        <Button onClick={cancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Create stream")}
        </Button>
      </DialogActions>
    </form>
  );
}

interface KindFieldProps {
  kind: StreamKind;
  onChange: (kind: StreamKind) => void;
  error: string | undefined;
}

function KindField({ kind, onChange, error }: KindFieldProps) {
  return (
    <Field label={t("Kind")} error={error}>
      {(control) => (
        <Select
          {...control}
          value={kind}
          onChange={({ target }) =>
            onChange(streamKinds.find((one) => one === target.value) ?? "https")
          }
        >
          {streamKinds.map((one) => (
            <option key={one} value={one}>
              {t(kindNames[one])}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
