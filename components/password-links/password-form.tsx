"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { useAction } from "@/components/ui/use-action";

interface PasswordFormProps {
  /** On the button. */
  confirm: string;
  onPassword: (password: string) => Promise<void>;
}

/** A new password, sent with the token of the link. */
export function PasswordForm({ confirm, onPassword }: PasswordFormProps) {
  const { busy, errors, error, submit } = useAction(
    (form) => onPassword(String(form.get("password"))),
    ["/password"],
  );
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The password was not set")} error={error} /> : null}
      {/* The link does not name the login; without this field browsers complain. */}
      <input type="text" name="username" autoComplete="username" value="" readOnly hidden />
      <NewPasswordField label={t("Password")} error={errors["/password"]} />
      <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
        {confirm}
      </Button>
    </form>
  );
}
