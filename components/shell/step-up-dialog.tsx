"use client";

import { CodeField, proofOf } from "@/components/sign-in/code-field";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field } from "@/components/ui/form/field";
import { PasswordInput } from "@/components/ui/form/password-input";
import { textOf } from "@/components/ui/form/use-action";
import { usePortal } from "./portal";
import { endIdentityCheck, type ProofKind } from "./step-up-gate";

const passwordOf = (form: FormData) => String(form.get("password") ?? "");

/** The person confirms who they are; what waited for it is then sent again. */
export function StepUpDialog({ kind }: { kind: ProofKind }) {
  const { view, call } = usePortal();
  return (
    <ActionDialog
      title={t("Confirm your identity")}
      description={t(
        "You have not confirmed it for a while, and this change is sensitive. What you filled in stays as it is.",
      )}
      confirm={t("Confirm")}
      failed={t("Your identity was not confirmed")}
      fields={["/password", "/code", "/recoveryCode"]}
      onConfirm={(form) =>
        call("POST /v1/user/session/step-up", {
          body: kind === "code" ? proofOf(textOf(form, "code")) : { password: passwordOf(form) },
        }).then(() => endIdentityCheck(true))
      }
      onClose={() => undefined}
      onCancel={() => endIdentityCheck(false)}
    >
      {(errors) =>
        kind === "code" ? (
          <CodeField error={errors["/code"] ?? errors["/recoveryCode"]} />
        ) : (
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
        )
      }
    </ActionDialog>
  );
}
