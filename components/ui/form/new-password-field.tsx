import { t } from "@/components/texts/t";
import { Field } from "./field";
import { PasswordInput } from "./password-input";

/** A password that is chosen now, as `password` of its form. */
export function NewPasswordField({ label, error }: { label: string; error: string | undefined }) {
  return (
    <Field
      label={label}
      hint={t("15 characters or more. A few unrelated words are easy to remember.")}
      error={error}
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
  );
}
