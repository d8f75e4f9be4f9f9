"use client";

import { useState } from "react";
import { CodeField, proofOf } from "@/components/sign-in/code-field";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field } from "@/components/ui/form/field";
import { PasswordInput } from "@/components/ui/form/password-input";
import { textOf } from "@/components/ui/form/use-action";
import { CallError } from "@/lib/catalogue/client";
import { usePortal } from "./portal";
import { endIdentityCheck, type ProofKind } from "./step-up-gate";

const passwordOf = (form: FormData) => String(form.get("password") ?? "");

/** The user confirms the identity; the pending requests are then sent again. */
export function StepUpDialog({ kind: asked }: { kind: ProofKind }) {
  const { view, call } = usePortal();
  const [kind, setKind] = useState(asked);
  const bodyOf = async (form: FormData) => {
    if (kind === "password") return { password: passwordOf(form) };
    if (kind === "code") return proofOf(textOf(form, "code"));
    const { askPasskey } = await import("@/components/sign-in/passkey-browser");
    const { proof } = await askPasskey(view.tenant);
    if (!proof) throw new CallError(0, "auth.passkey-failed", t("No passkey was used"));
    return { passkey: { ...proof, type: "public-key" as const } };
  };
  return (
    <ActionDialog
      title={t("Confirm your identity")}
      description={t(
        "You have not confirmed it for a while, and this change is sensitive. What you filled in stays as it is.",
      )}
      confirm={t("Confirm")}
      failed={t("Your identity was not confirmed")}
      fields={["/password", "/code", "/recoveryCode"]}
      onConfirm={async (form) => {
        await call("POST /v1/user/session/step-up", { body: await bodyOf(form) });
        endIdentityCheck(true);
      }}
      onClose={() => undefined}
      onCancel={() => endIdentityCheck(false)}
    >
      {(errors) => <Proof kind={kind} errors={errors} onCode={() => setKind("code")} />}
    </ActionDialog>
  );
}

interface ProofProps {
  kind: ProofKind;
  errors: Readonly<Record<string, string | undefined>>;
  /** Switches to a code, when the passkey is not at hand. */
  onCode: () => void;
}

function Proof({ kind, errors, onCode }: ProofProps) {
  const { view } = usePortal();
  if (kind === "code") return <CodeField error={errors["/code"] ?? errors["/recoveryCode"]} />;
  if (kind === "passkey")
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-control">{t("Your browser asks for your passkey.")}</p>
        <Button tone="quiet" onClick={onCode}>
          {t("Use a code instead")}
        </Button>
      </div>
    );
  return (
    <>
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={view.user.login}
        readOnly
        hidden
      />
      <Field label={t("Password")} error={errors["/password"]}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            required
            autoFocus
            autoComplete="current-password"
          />
        )}
      </Field>
    </>
  );
}
