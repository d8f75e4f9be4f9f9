"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useKept } from "@/components/ui/kept";
import { PasswordInput } from "@/components/ui/password-input";
import { RefusalNotice } from "./refusal-notice";
import { type Refusal, signIn } from "./sign-in-call";

interface SignedIn {
  tenant: string;
  login: string;
  password: string;
}

interface SignInFormProps {
  tenant?: string | undefined;
  login?: string | undefined;
  onSignedIn: (who: SignedIn) => void | Promise<void>;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function SignInForm({ tenant, login, onSignedIn }: SignInFormProps) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [waits, setWaits] = useState(false);
  const [remembered, setRemembered] = useKept("tenant", "");
  const [attempts, setAttempts] = useState(0);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || waits) return;
    const form = new FormData(event.currentTarget);
    const who = {
      tenant: textOf(form, "tenant").trim().toLowerCase(),
      login: textOf(form, "login").trim(),
      password: textOf(form, "password"),
    };
    setBusy(true);
    const refused = await signIn(who);
    setAttempts(attempts + 1);
    setRefusal(refused);
    setWaits(refused?.retryAfterSeconds !== undefined);
    if (!refused) {
      setRemembered(who.tenant);
      await onSignedIn(who);
    }
    setBusy(false);
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
      noValidate={false}
    >
      {refusal ? (
        <RefusalNotice key={attempts} refusal={refusal} onWaited={() => setWaits(false)} />
      ) : null}
      <Field label="Tenant">
        {(control) => (
          <Input
            {...control}
            name="tenant"
            defaultValue={tenant ?? remembered}
            required
            autoComplete="organization"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={!tenant}
          />
        )}
      </Field>
      <Field label="Login">
        {(control) => (
          <Input
            {...control}
            name="login"
            defaultValue={login}
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={Boolean(tenant && !login)}
          />
        )}
      </Field>
      <Field label="Password">
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
      <Button type="submit" tone="primary" busy={busy} disabled={waits} className="mt-1 h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}
