"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Checkbox, TextField } from "@/components/ui/form/field";
import type { PersonalField, RevealedCustomer } from "@/lib/features/customers/staff-contract";
import type { CareProps } from "./customer-actions";

const fieldNames: Record<PersonalField, Message> = {
  login: msg("Login"),
  name: msg("Name"),
  emailAddresses: msg("E-mail addresses"),
  birthDate: msg("Birth date"),
  gender: msg("Gender"),
  addresses: msg("Addresses"),
  creditCards: msg("Cards"),
  defaultLocationId: msg("Default location"),
  subscriptions: msg("Subscriptions"),
};
const all = Object.keys(fieldNames) as PersonalField[];

interface RevealDialogProps extends CareProps {
  onClose: () => void;
  onRevealed: (revealed: RevealedCustomer) => void;
}

function useReveal({ customer, site, onClose, onRevealed }: RevealDialogProps) {
  const { call } = usePortal();
  return useMutation({
    mutationFn: (body: { fields: PersonalField[]; reason: string }) =>
      call("POST /v1/customers/{id}/reveal", { site, params: { id: customer.id }, body }),
    gcTime: 0,
    onSuccess: (revealed) => {
      onRevealed(revealed);
      onClose();
    },
  });
}

/** Asks for the fields and the reason: both are recorded in the audit trail, the values are not. */
export function RevealDialog(props: RevealDialogProps) {
  const { onClose } = props;
  const [fields, setFields] = useState<PersonalField[]>([]);
  const [reason, setReason] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const reveal = useReveal(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (fields.length > 0 && reason.trim() !== "") reveal.mutate({ fields, reason: reason.trim() });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Reveal personal data")}
      description={t("Your selection and your reason are recorded with your name.")}
    >
      <form method="post" noValidate onSubmit={submit}>
        <FieldChoices
          fields={fields}
          isMissing={isSubmitted && fields.length === 0}
          onChange={setFields}
        />
        <div className="mt-4 flex flex-col gap-4">
          <TextField
            label={t("Reason")}
            error={isSubmitted && reason.trim() === "" ? t("Enter a reason.") : undefined}
            maxLength={256}
            placeholder={t("Ticket or request")}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          {reveal.error ? (
            <CallFailed title={t("Personal data not revealed")} error={reveal.error} />
          ) : null}
        </div>
        <DialogActions>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" tone="primary" busy={reveal.isPending}>
            {t("Reveal")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface FieldChoicesProps {
  fields: PersonalField[];
  isMissing: boolean;
  onChange: (fields: PersonalField[]) => void;
}

function FieldChoices({ fields, isMissing, onChange }: FieldChoicesProps) {
  const toggle = (field: PersonalField) =>
    onChange(fields.includes(field) ? fields.filter((one) => one !== field) : [...fields, field]);
  return (
    <fieldset aria-describedby={isMissing ? "reveal-none" : undefined}>
      <legend className="text-body font-medium">{t("Fields to reveal")}</legend>
      <div className="mt-1.5 grid grid-cols-2 gap-1">
        {all.map((field) => (
          <Checkbox
            key={field}
            label={t(fieldNames[field])}
            checked={fields.includes(field)}
            onChange={() => toggle(field)}
          />
        ))}
      </div>
      {isMissing ? (
        <p id="reveal-none" className="mt-1 text-body text-danger">
          {t("Choose at least one.")}
        </p>
      ) : null}
    </fieldset>
  );
}
