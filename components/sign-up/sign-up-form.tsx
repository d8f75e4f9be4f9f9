"use client";

import { signIn } from "@/components/sign-in/sign-in-call";
import { rich } from "@/components/texts/rich";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { DraftLine } from "@/components/ui/form/draft-line";
import { NewPasswordField } from "@/components/ui/form/new-password-field";
import { TextField } from "@/components/ui/form/text-field";
import { leaveTo, textOf, useAction } from "@/components/ui/form/use-action";
import { Link } from "@/components/ui/link";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";

const fields = [
  {
    name: "tenant",
    label: msg("Tenant id"),
    hint: msg("Used in URLs and API calls. Lowercase letters, digits and hyphens."),
    autoComplete: "organization",
  },
  {
    name: "site",
    label: msg("First site id"),
    hint: msg("Such as eu-store. More can follow."),
    autoComplete: "off",
  },
  { name: "name", label: msg("Your name"), autoComplete: "name" },
  { name: "emailAddress", label: msg("E-mail address"), autoComplete: "email" },
  { name: "login", label: msg("Login"), autoComplete: "username" },
] as const;

const slugs: readonly string[] = ["tenant", "site"];

function valuesOf(form: FormData) {
  return {
    tenant: textOf(form, "tenant").toLowerCase(),
    site: textOf(form, "site").toLowerCase(),
    name: String(form.get("name") ?? ""),
    emailAddress: textOf(form, "emailAddress"),
    login: textOf(form, "login"),
    password: String(form.get("password") ?? ""),
  };
}

async function signUp(form: FormData, done: () => void): Promise<void> {
  const body = valuesOf(form);
  const { tenant, login, password } = body;
  await call("POST /v1/signup", { tenant: "", body });
  done();
  const rejected = await signIn({ tenant, login, password });
  await leaveTo(rejected ? `/sign-in?tenant=${tenant}` : `/t/${tenant}`);
}

/** Creates a sandbox, its first site and its administrator in one form, and signs in. */
export function SignUpForm({ posted }: { posted: PostedForm | undefined }) {
  return (
    <>
      <h1 className="text-title">{t("Create a sandbox")}</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        {t("A tenant for trying everything out. You become its administrator.")}
      </p>
      <Fields posted={posted} />
      <p className="mt-6 text-center text-body text-muted">
        {rich("Already have one? <link>Sign in</link>", {
          link: (inner) => (
            <Link
              href="/sign-in"
              className="rounded-control text-text underline decoration-border-strong underline-offset-4"
            >
              {inner}
            </Link>
          ),
        })}
      </p>
    </>
  );
}

function Fields({ posted }: { posted: PostedForm | undefined }) {
  const pointers = [...fields.map(({ name }) => `/${name}`), "/password"];
  const { busy, errors, error, form, draft } = useAction(
    signUp,
    pointers,
    "sign-up",
    posted?.problem,
  );
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("Sandbox not created")} error={error} /> : null}
      {fields.map(({ name, label, autoComplete, ...field }, index) => (
        <TextField
          key={name}
          label={t(label)}
          hint={"hint" in field ? t(field.hint) : undefined}
          autoComplete={autoComplete}
          name={name}
          defaultValue={posted?.values[name]}
          error={errors[`/${name}`]}
          type={name === "emailAddress" ? "email" : "text"}
          required
          maxLength={slugs.includes(name) ? 63 : 128}
          autoCapitalize={name === "name" ? "words" : "none"}
          spellCheck={false}
          autoFocus={index === 0}
        />
      ))}
      <NewPasswordField label={t("Password")} error={errors["/password"]} />
      <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
        {t("Create sandbox")}
      </Button>
      <DraftLine draft={draft} />
    </form>
  );
}
