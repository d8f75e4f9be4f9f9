"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import { RecoveryCodesDialog } from "./recovery-codes";

/** Names a passkey, creates it in the browser, and shows the recovery codes after the first second factor. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { call } = usePortal();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog codes={codes} onDone={onClose} />;
  const add = async (form: FormData) => {
    const optionsJSON = await call("POST /v1/user/passkeys/options", {});
    const { startRegistration } = await import("@/components/sign-in/passkey-browser");
    const made = await startRegistration({ optionsJSON }).catch((error: unknown) => {
      throw new CallError(0, "second-factor.not-set-up", wordsOf(error));
    });
    const passkey = { ...made, type: "public-key" as const };
    const body = { name: textOf(form, "name"), passkey };
    const { recoveryCodes } = await call("POST /v1/user/passkeys", { body });
    void notify(t("Passkey added"));
    if (recoveryCodes) setCodes(recoveryCodes);
    else onClose();
  };
  return (
    <ActionDialog
      title={t("Add passkey")}
      description={t(
        "Your device or password manager keeps it, and asks for your fingerprint, face or PIN. It signs you in without a password.",
      )}
      confirm={t("Continue")}
      failed={t("The passkey was not added")}
      fields={["/name"]}
      onConfirm={add}
      onClose={() => undefined}
      onCancel={onClose}
    >
      {(errors) => (
        <TextField
          label={t("Name")}
          hint={t("Where it is kept, such as: work laptop")}
          name="name"
          required
          maxLength={128}
          defaultValue={t("Passkey")}
          data-autofocus
          error={errors["/name"]}
        />
      )}
    </ActionDialog>
  );
}

/** The message for an error of the browser. */
function wordsOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return t("You have a passkey there already.");
  if (code === "ERROR_INVALID_DOMAIN" || code === "ERROR_INVALID_RP_ID")
    return t("The browser makes passkeys only with https and a host name, not for an IP address.");
  return t("No passkey was made. Try again, or choose another place for it.");
}

/** Replaces the recovery codes and shows the new ones once. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const { call } = usePortal();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog codes={codes} onDone={onClose} />;
  return (
    <ActionDialog
      title={t("Replace recovery codes")}
      confirm={t("Replace recovery codes")}
      failed={t("The recovery codes were not replaced")}
      onConfirm={async () =>
        setCodes((await call("POST /v1/user/second-factors/recovery-codes", {})).recoveryCodes)
      }
      onClose={() => undefined}
      onCancel={onClose}
    >
      <p className="text-control">{t("You get ten new codes. Those you have no longer work.")}</p>
    </ActionDialog>
  );
}
