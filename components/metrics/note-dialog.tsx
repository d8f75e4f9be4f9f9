"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { controlLook, Field, TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { zoneName } from "@/components/ui/instant-words";
import { notify } from "@/components/ui/toast";
import { maxMarkerTitle, noteKind } from "@/lib/features/metrics/values";
import { instantOf, wallText } from "./wall-time";

export interface NotedTime {
  /** Milliseconds since the epoch. */
  from: number;
  /** The end, for a note about a range. */
  until?: number | undefined;
  /** The zone of the charts. */
  zone: string;
}

interface NoteDialogProps extends NotedTime {
  onClose: () => void;
}

/** Adds a note to the charts, at a point or for a range. Input is kept as a draft. */
export function NoteDialog({ onClose, ...time }: NoteDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const save = async (form: FormData) => {
    const until = textOf(form, "until");
    const body = {
      kind: noteKind,
      // One line, like every marker.
      title: textOf(form, "title").replace(/\s+/g, " "),
      at: instantOf(textOf(form, "at"), time.zone).toISOString(),
      ...(until === "" ? {} : { until: instantOf(until, time.zone).toISOString() }),
    };
    await call("POST /v1/api-metrics/markers", { body });
    await queries.invalidateQueries({ queryKey: [view.tenant, "metrics"] });
    void notify(t("Note added"));
  };
  return (
    <ActionDialog
      title={t("Add note")}
      description={t(
        "Everybody who reads these metrics sees it with your login, for 400 days. You can remove it.",
      )}
      confirm={t("Add note")}
      failed={t("The note was not added")}
      onConfirm={save}
      onClose={onClose}
      draft="chart-note"
      fields={["/title", "/at", "/until"]}
    >
      {(errors) => <NoteFields errors={errors} {...time} />}
    </ActionDialog>
  );
}

function NoteFields({ errors, from, until, zone }: NotedTime & { errors: Record<string, string> }) {
  return (
    <>
      <Field
        label={t("Note")}
        hint={t("At most {count} characters.", { count: maxMarkerTitle })}
        error={errors["/title"]}
      >
        {(control) => (
          <textarea
            {...control}
            name="title"
            required
            rows={3}
            maxLength={maxMarkerTitle}
            placeholder={t("The payment provider was down")}
            className={`${controlLook} h-auto py-2`}
            data-autofocus
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="at"
          label={t("When ({zone} time)", { zone: zoneName(zone) })}
          type="datetime-local"
          defaultValue={wallText(from, zone)}
          required
          error={errors["/at"]}
        />
        <TextField
          name="until"
          label={t("Until (optional)")}
          type="datetime-local"
          defaultValue={until === undefined ? "" : wallText(until, zone)}
          error={errors["/until"]}
        />
      </div>
    </>
  );
}
