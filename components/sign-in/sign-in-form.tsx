"use client";

import { type FormEvent, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { PasswordInput } from "@/components/ui/form/password-input";
import { textOf } from "@/components/ui/form/use-action";
import { useKept } from "@/components/ui/kept";
import { FailureNotice } from "./failure-notice";
import { LoginFields } from "./login-fields";
import { type SignInFailure, signIn } from "./sign-in-call";

interface SignedIn {
  tenant: string;
  login: string;
  password: string;
}

interface SignInFormProps {
  tenant?: string | undefined;
  login?: string | undefined;
  /** Why a sign-in failed that the browser sent by itself. */
  problem?: SignInFailure | undefined;
  onSignedIn: (who: SignedIn) => void | Promise<void>;
}

/** Signs in, once at a time, and not while too many failures say to wait. */
function useSignIn({ onSignedIn, problem }: SignInFormProps, onTenant: (tenant: string) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(problem);
  // A countdown needs scripts: without them the button works, and the service says how long to wait.
  const [isWaiting, setIsWaiting] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isWaiting) return;
    const form = new FormData(event.currentTarget);
    const who = {
      tenant: textOf(form, "tenant").toLowerCase(),
      login: textOf(form, "login"),
      password: String(form.get("password") ?? ""),
    };
    setBusy(true);
    const rejected = await signIn(who);
    setAttempts(attempts + 1);
    setFailure(rejected);
    setIsWaiting(rejected?.retryAfterSeconds !== undefined);
    if (!rejected) {
      onTenant(who.tenant);
      await onSignedIn(who);
    }
    setBusy(false);
  };
  return { busy, failure, attempts, isWaiting, submit, endWait: () => setIsWaiting(false) };
}

export function SignInForm(props: SignInFormProps) {
  const { tenant, login } = props;
  const [, setRemembered] = useKept("tenant", "");
  const { busy, failure, attempts, isWaiting, submit, endWait } = useSignIn(props, setRemembered);
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure ? <FailureNotice key={attempts} failure={failure} onWaited={endWait} /> : null}
      <LoginFields tenant={tenant} login={login} />
      <Field label={t("Password")}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            required
            autoComplete="current-password"
            autoFocus={Boolean(tenant && login)}
          />
        )}
      </Field>
      <Button
        type="submit"
        tone="primary"
        busy={busy}
        disabled={isWaiting}
        className="mt-1 h-9 w-full"
      >
        {t("Sign in")}
      </Button>
    </form>
  );
}
