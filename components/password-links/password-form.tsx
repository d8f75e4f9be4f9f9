"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { TextField } from "@/components/ui/form/field";
import { NewPasswordField } from "@/components/ui/form/password-input";
import { useAction } from "@/components/ui/form/use-action";
import type { PostedForm } from "@/lib/features/portal/values";

interface PasswordFormProps {
  /** On the button. */
  confirm: string;
  /** Undefined without scripts: the browser submits the form, and the user pastes the link, whose fragment browsers never send. */
  onPassword?: (password: string) => Promise<void>;
  posted?: PostedForm | undefined;
}

/** A new password, sent with the token of the link. */
export function PasswordForm({ confirm, onPassword, posted }: PasswordFormProps) {
  const { busy, errors, error, submit } = useAction(
    async (form) => onPassword?.(String(form.get("password"))),
    ["/token", "/password"],
    undefined,
    posted?.problem,
  );
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The password was not set")} error={error} /> : null}
      {onPassword ? null : <PastedLink link={posted?.values.link} error={errors["/token"]} />}
      {/* The link does not name the login; without this field browsers complain. */}
      <input type="text" name="username" autoComplete="username" value="" readOnly hidden />
      <NewPasswordField label={t("Password")} error={errors["/password"]} />
      <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
        {confirm}
      </Button>
    </form>
  );
}

/** A field for the opened link, to be pasted when scripts do not run. */
export const PastedLink = ({ link, error }: Record<"link" | "error", string | undefined>) => (
  <TextField
    label={t("Link")}
    hint={t("Scripts are off in this browser. Paste the complete link that you were sent.")}
    name="link"
    defaultValue={link}
    required
    isCode
    error={error}
  />
);
