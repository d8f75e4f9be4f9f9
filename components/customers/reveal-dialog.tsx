"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { PersonalField, RevealedCustomer } from "@/lib/features/customers/staff-contract";
import type { CareProps } from "./customer-actions";

const fieldNames: Record<PersonalField, string> = {
  login: "Login",
  name: "Name",
  emailAddresses: "E-mail addresses",
  birthDate: "Birth date",
  gender: "Gender",
  addresses: "Addresses",
  creditCards: "Cards",
  defaultLocationId: "Default location",
  subscriptions: "Subscriptions",
};
const all = Object.keys(fieldNames) as PersonalField[];

interface RevealDialogProps extends CareProps {
  onClose: () => void;
  onRevealed: (revealed: RevealedCustomer) => void;
}

/** Asks what is needed and why: both go into the audit trail, the values do not. */
export function RevealDialog({ customer, site, onClose, onRevealed }: RevealDialogProps) {
  const { call } = usePortal();
  const [fields, setFields] = useState<PersonalField[]>([]);
  const [reason, setReason] = useState("");
  const [isTold, setIsTold] = useState(false);
  const reveal = useMutation({
    mutationFn: () =>
      call("POST /v1/customers/{id}/reveal", {
        site,
        params: { id: customer.id },
        body: { fields, reason: reason.trim() },
      }),
    gcTime: 0,
    onSuccess: (revealed) => {
      onRevealed(revealed);
      onClose();
    },
  });
  const toggle = (field: PersonalField) =>
    setFields((before) =>
      before.includes(field) ? before.filter((one) => one !== field) : [...before, field],
    );
  const submit = () => {
    setIsTold(true);
    if (fields.length > 0 && reason.trim() !== "") reveal.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Reveal personal data"
      description="What you choose and your reason are recorded with your name."
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <fieldset aria-describedby={isTold && fields.length === 0 ? "reveal-none" : undefined}>
          <legend className="text-body font-medium">What you need</legend>
          <div className="mt-1.5 grid grid-cols-2 gap-1">
            {all.map((field) => (
              <Checkbox
                key={field}
                label={fieldNames[field]}
                checked={fields.includes(field)}
                onChange={() => toggle(field)}
              />
            ))}
          </div>
          {isTold && fields.length === 0 ? (
            <p id="reveal-none" className="mt-1 text-body text-danger">
              Choose at least one.
            </p>
          ) : null}
        </fieldset>
        <div className="mt-4 flex flex-col gap-4">
          <Field
            label="Reason"
            error={isTold && reason.trim() === "" ? "Enter a reason." : undefined}
          >
            {(control) => (
              <Input
                {...control}
                maxLength={256}
                placeholder="Ticket or request"
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          {reveal.error ? (
            <CallFailed title="Personal data not revealed" error={reveal.error} />
          ) : null}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={reveal.isPending}>
            Reveal
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
