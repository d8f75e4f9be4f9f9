"use client";

import { type ReactNode, useState } from "react";
import { t } from "@/components/texts/t";
import { ActionDialog } from "./action-dialog";
import { Field, Input } from "./field";

interface EraseDialogProps {
  title: ReactNode;
  description: string;
  /** Verb and object, on the button. */
  confirm: string;
  failed: string;
  /** The data that is kept. */
  children: string;
  /** The text that has to be typed, and its name, such as "the login". */
  expected: string;
  what: string;
  onErase: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Erases an object irrevocably: asks for a reason, which is recorded in the audit trail. */
export function EraseDialog(props: EraseDialogProps) {
  const { children, expected, what, onErase, ...dialog } = props;
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      {...dialog}
      danger
      disabled={typed !== expected}
      onConfirm={(form) => onErase(String(form.get("reason")).trim())}
    >
      <p className="text-control">{children}</p>
      <Field
        label={t("Reason")}
        hint={t("Stays in the audit trail. Enter a ticket number, not a name or an address.")}
      >
        {(control) => <Input {...control} name="reason" required maxLength={256} data-autofocus />}
      </Field>
      <TypedConfirmation expected={expected} what={what} value={typed} onChange={setTyped} />
    </ActionDialog>
  );
}

interface TypedConfirmationProps {
  /** The text that has to be typed. */
  expected: string;
  /** The name of the text, such as "the login". */
  what: string;
  value: string;
  onChange: (value: string) => void;
}

/** For actions that cannot be undone: the user types the name of the object, instead of confirming by habit. */
export function TypedConfirmation({ expected, what, value, onChange }: TypedConfirmationProps) {
  return (
    <Field
      label={t("Type {what} to confirm", { what })}
      hint={<code className="break-all">{expected}</code>}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
