"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Field } from "./field";
import { PasswordInput } from "./password-input";

interface NewPasswordFieldProps {
  label: string;
  error: string | undefined;
  autoFocus?: boolean;
}

/** A password that is chosen now, as `password` of its form. */
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
            // The browser's own bubble is in the browser's language.
            event.preventDefault();
            event.currentTarget.focus();
            setIsShort(true);
          }}
        />
      )}
    </Field>
  );
}
