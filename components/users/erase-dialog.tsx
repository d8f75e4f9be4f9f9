"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
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
    void notify(t("User erased"));
  };
  return (
    <ActionDialog
      title={t("Erase {name}", { name: user.name })}
      description={t(
        "Replaces the name, login and e-mail address with the user's id in every tenant and in the audit trail. This cannot be undone.",
      )}
      confirm={t("Erase user")}
      danger
      disabled={typed !== user.login}
      failed={t("The user was not erased")}
      onConfirm={erase}
      onClose={onClose}
    >
      <p className="text-control">
        {t(
          "Sessions and IP addresses are deleted, and API keys are revoked. The audit trail keeps the user's id and can still be verified.",
        )}
      </p>
      <Field
        label={t("Reason")}
        hint={t("Stays in the audit trail. Enter a ticket number, not a name or an address.")}
      >
        {(control) => <Input {...control} name="reason" required maxLength={256} data-autofocus />}
      </Field>
      <TypedConfirmation
        expected={user.login}
        what={t("the login")}
        value={typed}
        onChange={setTyped}
      />
    </ActionDialog>
  );
}
