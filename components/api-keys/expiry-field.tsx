"use client";

import { labelled, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { Segmented } from "@/components/ui/form/segmented";
import { Instant } from "@/components/ui/instant";
import { localInput, zoneName } from "@/components/ui/instant-words";
import { type Expiry, expiryInstant, expiryPresets } from "./expiry";
import { expiryWarnings } from "./expiry-warning";

interface ExpiryFieldProps {
  expiry: Expiry;
  onChange: (expiry: Expiry) => void;
  error?: string | undefined;
}

/** Presets count from the click that makes the key; what they mean now is shown in both zones. */
export function ExpiryField({ expiry, onChange, error }: ExpiryFieldProps) {
  const now = serverNow();
  const instant = expiryInstant(expiry, now);
  return (
    <div className="flex flex-col gap-2">
      <Segmented
        legend={t("Expires after")}
        name="expiry"
        options={labelled(expiryPresets)}
        value={expiry.preset}
        onChange={(preset) => onChange({ ...expiry, preset })}
      />
      {expiry.preset === "custom" ? (
        <Field label={t("Date and time in {zoneName}", { zoneName: zoneName() })} error={error}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              className="max-w-60"
              required
              min={localInput(new Date(now))}
              max={localInput(new Date(now + 366 * 86_400_000))}
              value={expiry.custom}
              onChange={(event) => onChange({ ...expiry, custom: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      {expiry.preset !== "custom" && error ? (
        <p className="text-body text-danger">{error}</p>
      ) : null}
      <p className="text-meta text-muted">
        {instant ? (
          <Instant at={instant.toISOString()} form="full" />
        ) : (
          t("Choose a date and a time.")
        )}
      </p>
      {instant ? <Warnings end={instant} now={now} onChange={onChange} /> : null}
    </div>
  );
}

/** What should be thought of at this end, and a better one with one click. */
function Warnings({
  end,
  now,
  onChange,
}: Pick<ExpiryFieldProps, "onChange"> & { end: Date; now: number }) {
  return (
    <div role="status" className="flex flex-col gap-1 empty:hidden">
      {expiryWarnings(end, now).map(({ words, better }) => (
        <p key={words} className="text-body text-warning">
          {words}
          {better === undefined ? null : (
            <>
              {" "}
              <Button size="small" onClick={() => onChange({ preset: "custom", custom: better })}>
                {t("Move to Monday, 10:00")}
              </Button>
            </>
          )}
        </p>
      ))}
    </div>
  );
}
