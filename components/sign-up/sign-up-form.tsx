"use client";

import type { FormEvent } from "react";
import { signIn } from "@/components/sign-in/sign-in-call";
import { rich } from "@/components/texts/rich";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { TextField } from "@/components/ui/form/field";
import { NewPasswordField } from "@/components/ui/form/password-input";
import { leaveTo, textOf, useAction } from "@/components/ui/form/use-action";
import { Link } from "@/components/ui/link";
import { call } from "@/lib/catalogue/client";
import type { PostedForm } from "@/lib/features/portal/values";

/** The fields about the user; the password follows them, before the ids. */
const person = [
  { name: "name", label: msg("Your name"), autoComplete: "name" },
  { name: "emailAddress", label: msg("E-mail address"), autoComplete: "email" },
] as const;

/** The proposed ids, which can be changed. */
const ids = [
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
  { name: "login", label: msg("Login"), autoComplete: "username" },
] as const;

const fields = [...person, ...ids];

/** "Ana Müller" becomes "ana-mueller". */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-|-$/g, "");

/** Fills in a field that the user has not edited. */
function propose(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  if (field.value !== "" && field.value !== field.dataset.proposed) return;
  field.dataset.proposed = value;
  field.value = value;
}

/** The tenant is proposed from the person's name, the login from the e-mail address. */
function proposeIds({ currentTarget, target }: FormEvent<HTMLFormElement>): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === "name") propose(currentTarget, "tenant", slugOf(target.value));
  if (target.name === "emailAddress")
    propose(currentTarget, "login", target.value.split("@")[0] ?? "");
}

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
  const field = ({ name, label, autoComplete, ...more }: (typeof fields)[number]) => (
    <TextField
      key={name}
      label={t(label)}
      hint={"hint" in more ? t(more.hint) : undefined}
      autoComplete={autoComplete}
      name={name}
      defaultValue={posted?.values[name] ?? (name === "site" ? "shop" : undefined)}
      error={errors[`/${name}`]}
      type={name === "emailAddress" ? "email" : "text"}
      required
      maxLength={slugs.includes(name) ? 63 : 128}
      autoCapitalize={name === "name" ? "words" : "none"}
      spellCheck={false}
      autoFocus={name === "name"}
    />
  );
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    proposeIds(event);
    form.onInput();
  };
  return (
    <form method="post" {...form} onInput={onInput} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("Sandbox not created")} error={error} /> : null}
      {person.map(field)}
      <NewPasswordField label={t("Password")} error={errors["/password"]} />
      <p className="mt-2 border-t border-border pt-4 text-body text-muted">
        {t("Proposed from your name and address. Change what you like.")}
      </p>
      {ids.map(field)}
      <Button type="submit" tone="primary" busy={busy} className="mt-1 h-9 w-full">
        {t("Create sandbox")}
      </Button>
      <DraftLine draft={draft} />
    </form>
  );
}
