"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { Field, Input } from "./field";

export function PasswordInput({ className, ...rest }: ComponentProps<"input">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className={classNames("relative block", className)}>
      <Input
        type={shown ? "text" : "password"}
        data-secret=""
        className="pe-9"
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
      />
      <button
        type="button"
        aria-label={shown ? t("Hide password") : t("Show password")}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute end-1 top-1 grid size-6 place-items-center rounded-control text-muted hover:text-text"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}

interface NewPasswordFieldProps {
  label: string;
  error: string | undefined;
  autoFocus?: boolean;
}

/** A new password, as `password` of its form. */
export function NewPasswordField({ label, error, autoFocus = false }: NewPasswordFieldProps) {
  const [isShort, setIsShort] = useState(false);
  return (
    <Field
      label={label}
      hint={t("15 characters or more. A few unrelated words are easy to remember.")}
      error={isShort ? t("Use 15 characters or more.") : error}
    >
      {(control) => (
        <PasswordInput
          {...control}
          name="password"
          required
          minLength={15}
          maxLength={256}
          autoComplete="new-password"
          autoFocus={autoFocus}
          onInput={() => setIsShort(false)}
          onInvalid={(event) => {
            // Suppresses the browser's bubble, which is in the browser's language.
            event.preventDefault();
            event.currentTarget.focus();
            setIsShort(true);
          }}
        />
      )}
    </Field>
  );
}
