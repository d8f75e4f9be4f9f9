"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { RemainingKeys } from "@/components/api-keys/remaining-keys";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";

/** One's own password; it belongs to the person, so only the home tenant changes it. */
export function PasswordSection({ home }: { home: string }) {
  const { view } = usePortal();
  return (
    <Card
      id="password"
      title="Password"
      description="Changing it ends your other sessions in every tenant. API keys remain valid."
    >
      {home === view.tenant ? (
        <div className="grid gap-6 lg:grid-cols-2">
          <PasswordForm />
          <RemainingKeys />
        </div>
      ) : (
        <p className="text-muted">
          Your password belongs to your home tenant <b className="font-medium text-text">{home}</b>.
          Sign in there to change it.
        </p>
      )}
    </Card>
  );
}

function PasswordForm() {
  const { call, view } = usePortal();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setBusy(true);
    setError(undefined);
    try {
      await call("PUT /v1/user/password", {
        body: { current: String(data.get("current")), password: String(data.get("password")) },
      });
      form.reset();
      void queries.invalidateQueries({ queryKey: [view.tenant, "sessions"] });
      await notify("Password changed. Your other sessions ended; your API keys remain valid.");
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    }
    setBusy(false);
  };
  const at = (pointer: string) =>
    error?.reason?.split(",").includes(pointer) ? error.message : undefined;
  const [current, fresh] = [at("/current"), at("/password")];
  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-sm flex-col gap-4">
      {error && !current && !fresh ? (
        <ErrorNotice
          title="The password was not changed"
          detail={error.message}
          requestId={error.requestId}
        />
      ) : null}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={view.user.login}
        readOnly
        hidden
      />
      <Field label="Current password" error={current}>
        {(control) => (
          <PasswordInput {...control} name="current" required autoComplete="current-password" />
        )}
      </Field>
      <Field
        label="New password"
        hint="15 characters or more. A few unrelated words are easy to remember."
        error={fresh}
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
      <div>
        <Button type="submit" busy={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}
