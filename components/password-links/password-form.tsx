"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { CallError } from "@/lib/catalogue/client";

interface PasswordFormProps {
  /** On the button. */
  confirm: string;
  onPassword: (password: string) => Promise<void>;
}

/** A new password, sent with the token of the link. */
export function PasswordForm({ confirm, onPassword }: PasswordFormProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const password = String(new FormData(event.currentTarget).get("password"));
    setBusy(true);
    try {
      await onPassword(password);
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  const ofField = error?.code === "password.unsuitable";
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error && !ofField ? (
        <ErrorNotice
          title="The password was not set"
          detail={error.message}
          requestId={error.requestId}
        />
      ) : null}
      {/* The link does not name the login; without this field browsers complain. */}
      <input type="text" name="username" autoComplete="username" value="" readOnly hidden />
      <Field
        label="Password"
        hint="15 characters or more. A few unrelated words are easy to remember."
        error={ofField ? error?.message : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            required
            minLength={15}
            maxLength={256}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
        {confirm}
      </Button>
    </form>
  );
}
