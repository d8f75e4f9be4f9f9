"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { CallError, call } from "@/lib/catalogue/client";

interface ChangePasswordProps {
  tenant: string;
  login: string;
  /** The one-time password that was just typed. */
  current: string;
  onChanged: () => void;
}

/** The step between a one-time password and the portal. */
export function ChangePassword({ tenant, login, current, onChanged }: ChangePasswordProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    setBusy(true);
    try {
      await call("PUT /v1/user/password", { tenant, body: { current, password } });
      onChanged();
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  const ofField =
    error?.code === "password.unsuitable" || error?.code === "request.validation-failed";
  return (
    <>
      <h1 className="text-title">Set your own password</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        The password you signed in with works only once. Choose one that only you know.
      </p>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {error && !ofField ? (
          <ErrorNotice
            title="The password was not changed"
            detail={error.message}
            requestId={error.requestId}
          />
        ) : null}
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <Field
          label="New password"
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
          Set password
        </Button>
      </form>
    </>
  );
}
