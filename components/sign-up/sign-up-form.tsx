"use client";

import Link from "next/link";
import { type FormEvent, useState } from "react";
import { signIn } from "@/components/sign-in/sign-in-call";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { fieldErrors, isOfFields } from "@/components/ui/field-errors";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { CallError, call } from "@/lib/catalogue/client";

const fields = [
  {
    name: "tenant",
    label: "Tenant id",
    hint: "Used in URLs and API calls. Lowercase letters, digits and hyphens.",
    autoComplete: "organization",
  },
  {
    name: "site",
    label: "First site id",
    hint: "Such as eu-store. More can follow.",
    autoComplete: "off",
  },
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "emailAddress", label: "E-mail address", autoComplete: "email" },
  { name: "login", label: "Login", autoComplete: "username" },
] as const;

const slugs: readonly string[] = ["tenant", "site"];

function valuesOf(form: HTMLFormElement) {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "");
  return {
    tenant: text("tenant").trim().toLowerCase(),
    site: text("site").trim().toLowerCase(),
    name: text("name"),
    emailAddress: text("emailAddress").trim(),
    login: text("login").trim(),
    password: text("password"),
  };
}

/** One form makes a sandbox, its first site and its administrator, and ends signed in. */
export function SignUpForm() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const body = valuesOf(event.currentTarget);
    setBusy(true);
    try {
      await call("POST /v1/signup", { tenant: "", body });
      const refused = await signIn({
        tenant: body.tenant,
        login: body.login,
        password: body.password,
      });
      window.location.assign(refused ? `/sign-in?tenant=${body.tenant}` : `/t/${body.tenant}`);
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  const wrong = fieldErrors(error);
  return (
    <>
      <h1 className="text-title">Create a sandbox</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        Your own tenant to try everything in. You will be its administrator.
      </p>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {error && !isOfFields(error) ? (
          <ErrorNotice
            title="Sandbox not created"
            detail={error.message}
            requestId={error.requestId}
          />
        ) : null}
        {fields.map(({ name, label, autoComplete, ...rest }, index) => (
          <Field
            key={name}
            label={label}
            hint={"hint" in rest ? rest.hint : undefined}
            error={wrong[`/${name}`]}
          >
            {(control) => (
              <Input
                {...control}
                name={name}
                type={name === "emailAddress" ? "email" : "text"}
                required
                maxLength={slugs.includes(name) ? 63 : 128}
                autoComplete={autoComplete}
                autoCapitalize={name === "name" ? "words" : "none"}
                spellCheck={false}
                autoFocus={index === 0}
              />
            )}
          </Field>
        ))}
        <Field
          label="Password"
          hint="15 characters or more. A few unrelated words are easy to remember."
          error={wrong["/password"]}
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
          Create sandbox
        </Button>
      </form>
      <p className="mt-6 text-center text-body text-muted">
        Already have one?{" "}
        <Link
          href="/sign-in"
          className="rounded-control text-text underline decoration-border-strong underline-offset-4"
        >
          Sign in
        </Link>
      </p>
    </>
  );
}
