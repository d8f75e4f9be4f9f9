"use client";

import { usePortal } from "@/components/shell/portal";
import { msg, t, translated } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field, Input } from "@/components/ui/form/field";
import { notify } from "@/components/ui/toast";
import { DeactivateDialog } from "./deactivate-dialog";
import { LockFields, lockOf } from "./lock-fields";
import { EraseUser, ExportDialog } from "./personal-data-dialogs";
import { ResetLinkDialog, ResetSecondFactorsDialog } from "./reset-dialogs";
import type { UserDialogProps } from "./user-dialog-props";

export type UserAction =
  | "lock"
  | "unlock"
  | "edit"
  | "link"
  | "end-sessions"
  | "reset-second-factors"
  | "deactivate"
  | "erase"
  | "export"
  | "reactivate";

/** The dialog of one action; each states the consequence first. */
export function UserDialog({ action, ...props }: UserDialogProps & { action: UserAction }) {
  switch (action) {
    case "lock":
      return <LockDialog {...props} />;
    case "edit":
      return <EditDialog {...props} />;
    case "link":
      return <ResetLinkDialog {...props} />;
    case "reset-second-factors":
      return <ResetSecondFactorsDialog {...props} />;
    case "deactivate":
      return <DeactivateDialog {...props} />;
    case "erase":
      return <EraseUser {...props} />;
    case "export":
      return <ExportDialog {...props} />;
    default:
      return <PlainDialog action={action} {...props} />;
  }
}

function LockDialog({ user, site, onClose, onDone }: UserDialogProps) {
  const { call } = usePortal();
  const lock = async (form: FormData) => {
    await call("POST /v1/user/{id}/lock", { site, params: { id: user.id }, body: lockOf(form) });
    onDone();
    void notify(t("{name} locked", { name: user.name }));
  };
  return (
    <ActionDialog
      title={t("Lock {name}", { name: user.name })}
      description={t(
        "Sessions, API keys and tokens are rejected within a second. Unlocking lets them work again.",
      )}
      confirm={t("Lock user")}
      danger
      failed={t("The user was not locked")}
      draft={`lock-${user.id}`}
      onConfirm={lock}
      onClose={onClose}
    >
      <LockFields />
    </ActionDialog>
  );
}

function EditDialog({ user, site, addressRejection, onClose, onDone }: UserDialogProps) {
  const { call } = usePortal();
  const save = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const emailAddress = text("emailAddress");
    const body = { name: text("name"), ...(emailAddress && { emailAddress }) };
    await call("PATCH /v1/user/{id}", { site, params: { id: user.id }, body });
    onDone();
    void notify(t("Changes saved"));
  };
  return (
    <ActionDialog
      title={t("Edit {name}", { name: user.name })}
      confirm={t("Save changes")}
      failed={t("Changes not saved")}
      draft={`edit-${user.id}`}
      onConfirm={save}
      onClose={onClose}
    >
      <Field label={t("Name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            defaultValue={user.name}
            required
            maxLength={128}
            data-autofocus
          />
        )}
      </Field>
      <Field label={t("E-mail address")} hint={addressRejection && translated(addressRejection)}>
        {(control) => (
          <Input
            {...control}
            name="emailAddress"
            type="email"
            defaultValue={user.emailAddress}
            required={user.kind !== "service"}
            disabled={addressRejection !== undefined}
            maxLength={254}
          />
        )}
      </Field>
    </ActionDialog>
  );
}

const plain = {
  unlock: {
    operation: "POST /v1/user/{id}/unlock",
    title: msg("Unlock {name}"),
    confirm: msg("Unlock user"),
    consequence: msg(
      "The user can sign in again, and open sessions and keys work again within a second.",
    ),
    done: msg("{name} unlocked"),
  },
  reactivate: {
    operation: "POST /v1/user/{id}/reactivate",
    title: msg("Reactivate {name}"),
    confirm: msg("Reactivate user"),
    consequence: msg(
      "The user can sign in again, and keys that have not expired work again within a second.",
    ),
    done: msg("{name} reactivated"),
  },
  "end-sessions": {
    operation: "DELETE /v1/user/{id}/sessions",
    title: msg("End all sessions of {name}"),
    confirm: msg("End sessions"),
    consequence: msg("Everyone signed in as this user must sign in again. API keys remain valid."),
    done: msg("{name} is signed out everywhere"),
  },
} as const;

function PlainDialog({
  action,
  user,
  site,
  onClose,
  onDone,
}: UserDialogProps & { action: keyof typeof plain }) {
  const { call } = usePortal();
  const { operation, title, confirm, consequence, done } = plain[action];
  const act = async () => {
    await call(operation, { site, params: { id: user.id } });
    onDone();
    void notify(t(done, { name: user.name }));
  };
  return (
    <ActionDialog
      title={t(title, { name: user.name })}
      confirm={t(confirm)}
      failed={t("No changes made")}
      onConfirm={act}
      onClose={onClose}
    >
      <p className="text-control">{t(consequence)}</p>
    </ActionDialog>
  );
}
