import { t } from "@/components/texts/t";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";

/** The fields of a profile that staff fills in, as JSON pointers into the body. */
export const profileFields = ["/name/first", "/name/last", "/emailAddresses"] as const;

/** The part of a request body from the fields; empty ones are left out. */
export function profileOf(values: FormData) {
  const [first, last, address] = ["first", "last", "email"].map((name) => textOf(values, name));
  const name = { ...(first && { first }), ...(last && { last }) };
  const email = { address: address ?? "" };
  return {
    ...(first || last ? { name } : {}),
    ...(address ? { emailAddresses: { addresses: [email], default: email } } : {}),
  };
}

/** First name, last name and e-mail address. */
export function ProfileFields({ errors, hint }: { errors: Record<string, string>; hint?: string }) {
  return (
    <>
      <TextField
        name="first"
        label={t("First name")}
        maxLength={256}
        error={errors["/name/first"]}
      />
      <TextField name="last" label={t("Last name")} maxLength={256} error={errors["/name/last"]} />
      <TextField
        name="email"
        label={t("E-mail address")}
        type="email"
        hint={hint}
        isCode
        maxLength={254}
        error={errors["/emailAddresses"]}
      />
    </>
  );
}
