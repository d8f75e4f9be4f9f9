import { t } from "@/components/texts/t";
import { TextField } from "@/components/ui/form/field";
import { localInstant } from "@/components/ui/instant-words";

/** The instant of the field; undefined when it is empty. */
export const dueIn = (local: string): string | undefined => localInstant(local)?.toISOString();

interface DueFieldProps {
  value: string;
  error: string | undefined;
  required?: boolean;
  onChange: (value: string) => void;
}

/** The due time of a release, in the reader's time zone. */
export function DueField({ value, error, required = false, onChange }: DueFieldProps) {
  const at = dueIn(value);
  return (
    <TextField
      label={t("Due")}
      name="at"
      type="datetime-local"
      error={error}
      required={required}
      hint={
        at
          ? t("{at} UTC", { at: at.slice(0, 16).replace("T", " ") })
          : t("Your local time. Leave it empty to publish by hand.")
      }
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
