"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { notify } from "@/components/ui/toast";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import type { UserDialogProps } from "./user-dialogs";

/** Erases a deactivated user to an id; it cannot be undone, so the login is typed. */
export function EraseDialog({ user, site, onClose, onDone }: UserDialogProps) {
  const { call } = usePortal();
  const [typed, setTyped] = useState("");
  const erase = async (form: FormData) => {
    const body = { reason: String(form.get("reason")).trim() };
    await call("POST /v1/user/{id}/erase", { site, params: { id: user.id }, body });
    onDone();
    void notify("User erased");
  };
  return (
    <ActionDialog
      title={`Erase ${user.name}`}
      description="Replaces name, login and e-mail address by the user's id, here, in other tenants and in the audit trail. This cannot be undone."
      confirm="Erase user"
      danger
      disabled={typed !== user.login}
      failed="The user was not erased"
      onConfirm={erase}
      onClose={onClose}
    >
      <p className="text-control">
        Sessions and addresses are deleted, API keys are revoked. The audit trail keeps the id and
        still verifies.
      </p>
      <Field
        label="Reason"
        hint="Stays in the audit trail: write no name or address, for example a ticket number."
      >
        {(control) => <Input {...control} name="reason" required maxLength={256} data-autofocus />}
      </Field>
      <TypedConfirmation expected={user.login} what="the login" value={typed} onChange={setTyped} />
    </ActionDialog>
  );
}
