"use client";

import { t } from "@/components/texts/t";
import { Field } from "./field";
import { Input } from "./input";

interface TypedConfirmationProps {
  /** What has to be typed. */
  expected: string;
  /** What it is, such as "the login". */
  what: string;
  value: string;
  onChange: (value: string) => void;
}

/** For what cannot be undone: the name of what is about to go is typed, so that nobody confirms by habit. */
export function TypedConfirmation({ expected, what, value, onChange }: TypedConfirmationProps) {
  return (
    <Field
      label={t("Type {what} to confirm", { what })}
      hint={<code className="break-all">{expected}</code>}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
