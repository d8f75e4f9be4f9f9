"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { DraftLine } from "@/components/ui/draft-line";
import { Field } from "@/components/ui/field";
import { useFormDraft } from "@/components/ui/form-draft";
import { Select } from "@/components/ui/select";
import { TextField } from "@/components/ui/text-field";
import { notify } from "@/components/ui/toast";
import { type CareProps, useCustomerActions } from "./customer-actions";

const ends = [
  { days: 0, label: "Until someone unlocks" },
  { days: 1, label: "For one day" },
  { days: 7, label: "For 7 days" },
  { days: 30, label: "For 30 days" },
];

/** Computed at submit, never before: the dialog may stand open for long. */
const untilIn = (days: number) =>
  days === 0 ? {} : { until: new Date(Date.now() + days * 86_400_000).toISOString() };

const signIns = (count: number) => (count === 1 ? "1 sign-in" : `${count} sign-ins`);

const consequenceOf = (count: number) =>
  `${count > 0 ? `${signIns(count)} stop working within a second. ` : ""}The customer cannot sign in while locked. Sign-ins work again when the lock ends.`;

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
    void notify("Customer locked");
  };
  const submit = () => {
    if (reason.trim() === "") setIsMissing(true);
    else lock.mutate({ reason: reason.trim(), ...untilIn(days) }, { onSuccess: done });
  };
  return (
    <Dialog open onOpenChange={onClose} title={`Lock ${customer.name ?? customer.login}`}>
      <form
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
            <CallFailed title="The customer was not locked" error={lock.error} />
          ) : null}
        </div>
        <DialogActions>
          <DraftLine draft={draft} />
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" tone="danger" busy={lock.isPending}>
            Lock customer
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
      label="Reason"
      name="reason"
      hint="Kept in the audit trail and shown to your colleagues."
      error={isMissing ? "Enter a reason." : undefined}
      data-autofocus
      maxLength={256}
      value={reason}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function DurationField({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <Field label="How long">
      {({ id }) => (
        <Select
          id={id}
          name="days"
          value={String(days)}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {ends.map((end) => (
            <option key={end.days} value={end.days}>
              {end.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
