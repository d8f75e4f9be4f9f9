"use client";

import { useState } from "react";
import { msg, plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { Field, Select, TextField } from "@/components/ui/form/field";
import { useFormDraft } from "@/components/ui/form/form-draft";
import { notify } from "@/components/ui/toast";
import { type CareProps, useCustomerActions } from "./customer-actions";

const ends = [
  { days: 0, label: msg("Until someone unlocks") },
  { days: 1, label: msg("For one day") },
  { days: 7, label: msg("For 7 days") },
  { days: 30, label: msg("For 30 days") },
];

/** Computed at submit, never before: the dialog may stay open for a long time. */
const untilIn = (days: number) =>
  days === 0 ? {} : { until: new Date(serverNow() + days * 86_400_000).toISOString() };

const consequenceOf = (count: number) =>
  [
    ...(count > 0
      ? [
          plural(
            count,
            "1 sign-in stop working within a second.",
            "{count} sign-ins stop working within a second.",
          ),
        ]
      : []),
    t("The customer cannot sign in while locked. Sign-ins work again when the lock ends."),
  ].join(" ");

const titleOf = ({ name, login }: CareProps["customer"]) =>
  t("Lock {name}", { name: name ?? login });

/** The consequence first; a lock can be undone, so nothing is typed but the reason. */
export function LockDialog({ customer, site, onClose }: CareProps & { onClose: () => void }) {
  const { lock } = useCustomerActions(site, customer.id);
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(0);
  const [isMissing, setIsMissing] = useState(false);
  const { form, draft } = useFormDraft(`lock-${customer.id}`);
  const cancel = () => {
    draft.forget();
    onClose();
  };
  const done = () => {
    cancel();
    void notify(t("Customer locked"));
  };
  const submit = () => {
    if (reason.trim() === "") setIsMissing(true);
    else lock.mutate({ reason: reason.trim(), ...untilIn(days) }, { onSuccess: done });
  };
  return (
    <Dialog open onOpenChange={onClose} title={titleOf(customer)}>
      <form
        method="post"
        {...form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-control">{consequenceOf(customer.sessions.length)}</p>
        <div className="mt-4 flex flex-col gap-4">
          <ReasonField reason={reason} isMissing={isMissing} onChange={setReason} />
          <DurationField days={days} onChange={setDays} />
          {lock.error ? (
            <CallFailed title={t("The customer was not locked")} error={lock.error} />
          ) : null}
        </div>
        <DialogActions>
          <DraftLine draft={draft} />
          <Button onClick={cancel}>{t("Cancel")}</Button>
          <Button type="submit" tone="final" busy={lock.isPending}>
            {t("Lock customer")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ReasonFieldProps {
  reason: string;
  isMissing: boolean;
  onChange: (reason: string) => void;
}

function ReasonField({ reason, isMissing, onChange }: ReasonFieldProps) {
  return (
    <TextField
      label={t("Reason")}
      name="reason"
      hint={t("Kept in the audit trail and shown to your colleagues.")}
      error={isMissing ? t("Enter a reason.") : undefined}
      data-autofocus
      maxLength={256}
      value={reason}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function DurationField({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <Field label={t("How long")}>
      {({ id }) => (
        <Select
          id={id}
          name="days"
          value={String(days)}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {ends.map((end) => (
            <option key={end.days} value={end.days}>
              {t(end.label)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
