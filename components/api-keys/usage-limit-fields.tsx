"use client";

import { t } from "@/components/texts/t";
import { Field, Input, Select, TextField } from "@/components/ui/form/field";
import { type UsageLimits, windows, windowText } from "./usage-limits";

/** The pointers of the fields, for the service's validation errors. */
export const usageLimitPointers = ["/rateLimit", "/allowedAddresses"] as const;

interface UsageLimitFieldsProps {
  limits: UsageLimits;
  errors: Record<string, string>;
  onChange: (limits: UsageLimits) => void;
}

/** The rate limit and allowed addresses of a key. */
export function UsageLimitFields({ limits, errors, onChange }: UsageLimitFieldsProps) {
  return (
    <>
      <Field
        label={t("Rate limit")}
        hint={t("Requests beyond it are rejected with 429. Leave empty for no limit.")}
        error={errors["/rateLimit"]}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              className="min-w-0 flex-1"
              type="number"
              min={1}
              max={1_000_000}
              step={1}
              placeholder={t("No limit")}
              value={limits.requests}
              onChange={(event) => onChange({ ...limits, requests: event.target.value })}
            />
            <WindowSelect
              window={limits.window}
              onChange={(window) => onChange({ ...limits, window })}
            />
          </div>
        )}
      </Field>
      <TextField
        label={t("Allowed addresses")}
        hint={t("Addresses or ranges, separated by commas. Leave empty to allow any.")}
        error={errors["/allowedAddresses"]}
        isCode
        maxLength={2500}
        placeholder="192.0.2.7, 10.0.0.0/8, 2001:db8::/32"
        value={limits.addresses}
        onChange={(event) => onChange({ ...limits, addresses: event.target.value })}
      />
    </>
  );
}

interface WindowSelectProps {
  window: string;
  onChange: (window: string) => void;
}

/** The offered windows, and the current one when it is not among them. */
function WindowSelect({ window, onChange }: WindowSelectProps) {
  const offered: string[] = windows.map(({ value }) => value);
  const options = offered.includes(window) ? offered : [...offered, window];
  return (
    <Select
      aria-label={t("Window of the rate limit")}
      value={window}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((value) => (
        <option key={value} value={value}>
          {windowText(value)}
        </option>
      ))}
    </Select>
  );
}
