"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { OneTimeLink } from "./one-time-link";
import type { UserDialogProps } from "./user-dialog-props";

/** For a user who lost phone and recovery codes: the password is sufficient to sign in again. */
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

/** Creates the link with which the user sets a password, and shows it once. */
export function ResetLinkDialog({ user, site, onClose }: UserDialogProps) {
  const { call } = usePortal();
  const [link, setLink] = useState<{ url: string; expiresAt: string }>();
  const isInvited = user.state === "invited";
  const { name } = user;
  const make = async () =>
    setLink(await call("POST /v1/user/{id}/password-reset", { site, params: { id: user.id } }));
  if (link) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={
          isInvited
            ? t("The invitation link for {name}", { name })
            : t("The password reset link for {name}", { name })
        }
        description={t("Share it with no one else.")}
      >
        <OneTimeLink {...link} />
        <DialogActions>
          <Button tone="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <ActionDialog
      title={
        isInvited
          ? t("Create a invitation link for {name}", { name })
          : t("Create a password reset link for {name}", { name })
      }
      confirm={t("Create link")}
      failed={t("Link not created")}
      onConfirm={make}
      onClose={() => undefined}
      onCancel={onClose}
    >
      <p className="text-control">
        {t(
          "Anyone with the link can set the password of {login}. Using it ends every session of the user; an earlier link is void.",
          { login: user.login },
        )}
      </p>
    </ActionDialog>
  );
}
