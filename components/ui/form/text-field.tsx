import type { ComponentProps, ReactNode } from "react";
import { Field } from "./field";
import { Input } from "./input";

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, "id"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** An id, a login or a tag: browsers neither complete, capitalise nor correct it. */
  isCode?: boolean;
}

const code = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** A label and a line of text. */
export function TextField({ label, hint, error, isCode = false, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...(isCode ? code : {})} {...rest} />}
    </Field>
  );
}
