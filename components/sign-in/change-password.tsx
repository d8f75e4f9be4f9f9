"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/form/field";
import { NewPasswordField, PasswordInput } from "@/components/ui/form/password-input";
import { useAction } from "@/components/ui/form/use-action";
import { call } from "@/lib/catalogue/client";
import type { FormProblem } from "@/lib/features/portal/values";

interface ChangePasswordProps {
  tenant: string;
  login: string;
  /** The one-time password that was just typed; undefined after a form sent without scripts. */
  current?: string | undefined;
  problem?: FormProblem | undefined;
  onChanged: () => void;
}

/** The step between a one-time password and the portal. */
export function ChangePassword({ onChanged, problem, ...who }: ChangePasswordProps) {
  const { tenant, login, current } = who;
  const { busy, errors, error, submit } = useAction(
    async (form) => {
      const typed = { password: String(form.get("password")) };
      const body = { ...typed, current: current ?? String(form.get("current")) };
      await call("PUT /v1/user/password", { tenant, body });
      onChanged();
    },
    ["/current", "/password"],
    undefined,
    problem,
  );
  return (
    <>
      <h1 className="text-title">{t("Set your own password")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("The password you signed in with works only once. Choose one that only you know.")}
      </p>
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        {error ? <CallFailed title={t("The password was not changed")} error={error} /> : null}
        <input type="hidden" name="step" value="change-password" />
        <input type="hidden" name="tenant" value={tenant} />
        <input type="text" name="login" autoComplete="username" value={login} readOnly hidden />
        {current === undefined ? (
          <Field label={t("One-time password")} error={errors["/current"]}>
            {(control) => (
              <PasswordInput
                {...control}
                name="current"
                required
                autoComplete="current-password"
                autoFocus
              />
            )}
          </Field>
        ) : null}
        <NewPasswordField
          label={t("New password")}
          error={errors["/password"]}
          autoFocus={current !== undefined}
        />
        <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
          {t("Set password")}
        </Button>
      </form>
    </>
  );
}
