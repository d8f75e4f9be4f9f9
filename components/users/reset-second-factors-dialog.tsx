"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/text-field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { UserDialogProps } from "./user-dialog-props";

/** For somebody who lost the phone and the recovery codes: the password alone signs in again. */
export function ResetSecondFactorsDialog({ user, site, onClose, onDone }: UserDialogProps) {
  const { call } = usePortal();
  const reset = async (form: FormData) => {
    const body = { reason: textOf(form, "reason") };
    await call("POST /v1/user/{id}/reset-second-factors", { site, params: { id: user.id }, body });
    onDone();
    void notify(t("Second factors reset"));
  };
  return (
    <ActionDialog
      title={t("Reset the second factors of {name}", { name: user.name })}
      description={t(
        "Removes authenticator apps and recovery codes, and ends all sessions. Until a new one is set up, the password alone signs in.",
      )}
      confirm={t("Reset second factors")}
      danger
      failed={t("The second factors were not reset")}
      draft={`reset-second-factors-${user.id}`}
      fields={["/reason"]}
      onConfirm={reset}
      onClose={onClose}
    >
      {(errors) => (
        <TextField
          label={t("Reason")}
          hint={t("Make sure that the person asks for it. Stays in the audit trail.")}
          name="reason"
          required
          maxLength={256}
          data-autofocus
          error={errors["/reason"]}
        />
      )}
    </ActionDialog>
  );
}
