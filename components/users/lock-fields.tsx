"use client";

import { t } from "@/components/texts/t";
import { Field, Input } from "@/components/ui/form/field";
import { localInstant, zoneName } from "@/components/ui/instant-words";

/** The fields of a lock: its reason and end. */
export function LockFields() {
  return (
    <>
      <Field label={t("Reason")} hint={t("Shown to other administrators and in the audit trail.")}>
        {(control) => (
          <Input
            {...control}
            name="reason"
            required
            maxLength={128}
            autoComplete="off"
            data-autofocus
          />
        )}
      </Field>
      <Field
        label={t("Unlock at ({zoneName} time)", { zoneName: zoneName() })}
        hint={t("Leave empty to lock until someone unlocks the user.")}
      >
        {(control) => (
          <Input {...control} name="until" type="datetime-local" className="max-w-60" />
        )}
      </Field>
    </>
  );
}

/** The body of a lock, from the fields. */
export function lockOf(form: FormData): { reason: string; until?: string } {
  const until = localInstant(String(form.get("until") ?? ""));
  return {
    reason: String(form.get("reason") ?? ""),
    ...(until && { until: until.toISOString() }),
  };
}
