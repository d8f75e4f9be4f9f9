"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { RemainingKeys } from "@/components/api-keys/remaining-keys";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CallFailed } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/form/field";
import { NewPasswordField, PasswordInput } from "@/components/ui/form/password-input";
import { useAction } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { sessionKeys } from "./query-keys";

/** The user's password; it belongs to the user, so only the home tenant changes it. */
export function PasswordSection({ home }: { home: string }) {
  const { view } = usePortal();
  return (
    <Card
      id="password"
      title={t("Password")}
      description={t(
        "Changing it ends your other sessions in every tenant. API keys remain valid.",
      )}
    >
      {home === view.tenant ? (
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <PasswordForm />
          <RemainingKeys />
        </div>
      ) : (
        <p className="text-muted">
          {rich("Your password belongs to your home tenant {home}. Sign in there to change it.", {
            home: <b className="font-medium text-text">{home}</b>,
          })}
        </p>
      )}
    </Card>
  );
}

function PasswordForm() {
  const { call, view } = usePortal();
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { busy, errors, error, submit } = useAction(
    async (data) => {
      const body = { current: String(data.get("current")), password: String(data.get("password")) };
      await call("PUT /v1/user/password", { body });
      form.current?.reset();
      void queries.invalidateQueries({ queryKey: sessionKeys.own(view.tenant) });
      await notify(t("Password changed. Your other sessions ended; your API keys remain valid."));
    },
    ["/current", "/password"],
  );
  const { login } = view.user;
  return (
    <form method="post" ref={form} onSubmit={submit} className="flex max-w-sm flex-col gap-4">
      {error ? <CallFailed title={t("The password was not changed")} error={error} /> : null}
      <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
      <Field label={t("Current password")} error={errors["/current"]}>
        {(control) => (
          <PasswordInput {...control} name="current" required autoComplete="current-password" />
        )}
      </Field>
      <NewPasswordField label={t("New password")} error={errors["/password"]} />
      <div>
        <Button type="submit" busy={busy}>
          {t("Change password")}
        </Button>
      </div>
    </form>
  );
}
