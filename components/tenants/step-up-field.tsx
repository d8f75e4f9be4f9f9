import { type Message, msg, t } from "@/components/texts/t";
import { Field, Select } from "@/components/ui/form/field";

const modes: Record<string, Message> = {
  auto: msg("After 15 minutes, once somebody has a second factor"),
  off: msg("Never"),
};

const ages: Record<string, Message> = {
  PT5M: msg("After 5 minutes"),
  PT15M: msg("After 15 minutes"),
  PT1H: msg("After 1 hour"),
  PT8H: msg("After 8 hours"),
  P1D: msg("After 24 hours"),
};

interface StepUpFieldProps {
  /** "auto", "off" or an ISO 8601 duration. */
  value: string;
  error: string | undefined;
}

/** The time after which a sensitive change requires a new proof of identity. */
export function StepUpField({ value, error }: StepUpFieldProps) {
  const listed = Object.entries({ ...modes, ...ages });
  const isListed = value in modes || value in ages;
  return (
    <Field
      label={t("Confirm identity before sensitive changes")}
      hint={t(
        "Such as roles, API keys, webhook secrets and this policy. Asks for the password or a code.",
      )}
      error={error}
    >
      {(control) => (
        <Select {...control} name="stepUp" defaultValue={value} className="max-w-md">
          {listed.map(([one, words]) => (
            <option key={one} value={one}>
              {t(words)}
            </option>
          ))}
          {isListed ? null : (
            <option value={value}>{t("After {duration}", { duration: value })}</option>
          )}
        </Select>
      )}
    </Field>
  );
}
