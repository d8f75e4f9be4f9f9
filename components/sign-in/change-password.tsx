"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { useAction } from "@/components/ui/use-action";
import { call } from "@/lib/catalogue/client";

interface ChangePasswordProps {
  tenant: string;
  login: string;
  /** The one-time password that was just typed. */
  current: string;
  onChanged: () => void;
}

/** The step between a one-time password and the portal. */
export function ChangePassword({ tenant, login, current, onChanged }: ChangePasswordProps) {
  const { busy, errors, error, submit } = useAction(
    async (form) => {
      const body = { current, password: String(form.get("password")) };
      await call("PUT /v1/user/password", { tenant, body });
      onChanged();
    },
    ["/password"],
  );
  return (
    <>
      <h1 className="text-title">{t("Set your own password")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("The password you signed in with works only once. Choose one that only you know.")}
      </p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {error ? <CallFailed title={t("The password was not changed")} error={error} /> : null}
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <NewPasswordField label={t("New password")} error={errors["/password"]} />
        <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
          {t("Set password")}
        </Button>
      </form>
    </>
  );
}
