"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { AppCodeField } from "@/components/sign-in/code-field";
import { t } from "@/components/texts/t";
import { CopyButton } from "@/components/ui/copy-button";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { QrCode } from "./qr-code";
import { RecoveryCodesDialog } from "./recovery-codes";

interface NewFactor {
  id: string;
  secret: string;
  uri: string;
}

/** Sets up an authenticator app: a name, its secret, a code that confirms it, and with the first one recovery codes. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const [factor, setFactor] = useState<NewFactor>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog codes={codes} onDone={onClose} />;
  if (!factor) return <NameStep onCreated={setFactor} onClose={onClose} />;
  const confirmed = (shown: string[] | undefined) => {
    void notify(t("Second factor set up"));
    if (shown) setCodes(shown);
    else onClose();
  };
  return <ConfirmStep factor={factor} onConfirmed={confirmed} onClose={onClose} />;
}

interface NameStepProps {
  onCreated: (factor: NewFactor) => void;
  onClose: () => void;
}

function NameStep({ onCreated, onClose }: NameStepProps) {
  const { call } = usePortal();
  const create = async (form: FormData) => {
    const body = { kind: "totp" as const, name: textOf(form, "name") };
    onCreated(await call("POST /v1/user/second-factors", { body }));
  };
  return (
    <ActionDialog
      title={t("Set up authenticator app")}
      description={t(
        "Any app for time-based codes works, such as those of your phone or password manager.",
      )}
      confirm={t("Continue")}
      failed={t("The set-up could not begin")}
      fields={["/name"]}
      onConfirm={create}
      onClose={() => undefined}
      onCancel={onClose}
    >
      {(errors) => (
        <TextField
          label={t("Name")}
          hint={t("The device, such as: work phone")}
          name="name"
          required
          maxLength={128}
          defaultValue={t("Authenticator app")}
          data-autofocus
          error={errors["/name"]}
        />
      )}
    </ActionDialog>
  );
}

interface ConfirmStepProps {
  factor: NewFactor;
  onConfirmed: (recoveryCodes: string[] | undefined) => void;
  onClose: () => void;
}

function ConfirmStep({ factor: { id, secret, uri }, onConfirmed, onClose }: ConfirmStepProps) {
  const { call } = usePortal();
  const confirm = async (form: FormData) => {
    const body = { code: textOf(form, "code") };
    const params = { id };
    onConfirmed(
      (await call("POST /v1/user/second-factors/{id}/confirm", { params, body })).recoveryCodes,
    );
  };
  return (
    <ActionDialog
      title={t("Scan the code with your app")}
      confirm={t("Confirm")}
      failed={t("The second factor was not set up")}
      fields={["/code"]}
      onConfirm={confirm}
      onClose={() => undefined}
      onCancel={onClose}
    >
      {(errors) => (
        <div className="flex flex-col gap-4 sm:flex-row">
          <QrCode text={uri} label={t("QR code of the secret")} />
          <div className="flex min-w-0 flex-col gap-4">
            <div>
              <p className="text-body font-medium">{t("Or type this secret into the app")}</p>
              <p className="flex items-center gap-1 font-mono text-body wrap-anywhere">
                <span>{secret}</span>
                <CopyButton text={secret} label={t("Copy secret")} />
              </p>
            </div>
            <AppCodeField data-autofocus error={errors["/code"]} />
          </div>
        </div>
      )}
    </ActionDialog>
  );
}
