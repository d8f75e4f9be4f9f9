"use client";

import { labelled, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { Field, Input } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/form/segmented";
import { Instant } from "@/components/ui/instant";
import { localInput, zoneName } from "@/components/ui/instant-words";
import { type Expiry, expiryInstant, expiryPresets } from "./key-draft";

const day = 86_400_000;
const maxCalmDays = 180;

interface ExpiryWarning {
  words: string;
  /** A suggested expiry, in the format of a datetime-local input. */
  better?: string;
}

/** The Monday after a weekend day, at ten by the reader's clock: staff is at work when the key expires. */
function mondayAfter(end: Date): Date {
  const monday = new Date(end);
  monday.setDate(end.getDate() + (end.getDay() === 6 ? 2 : 1));
  monday.setHours(10, 0, 0, 0);
  return monday;
}

/** The warnings about an expiry at this instant, by the reader's calendar. */
export function expiryWarnings(end: Date, now: number): ExpiryWarning[] {
  const days = (end.getTime() - now) / day;
  const isWeekend = end.getDay() === 0 || end.getDay() === 6;
  return [
    ...(days > 0 && days < 7 - 1 / 24
      ? [{ words: t("It ends in less than a week: plan now who replaces it.") }]
      : []),
    ...(days > maxCalmDays
      ? [
          {
            words: t(
              "It is valid for more than 180 days: whoever finds it can use it that long. A shorter one and rotation are safer.",
            ),
          },
        ]
      : []),
    ...(isWeekend
      ? [
          {
            words:
              end.getDay() === 6
                ? t("It ends on a Saturday, when few people notice.")
                : t("It ends on a Sunday, when few people notice."),
            better: localInput(mondayAfter(end)),
          },
        ]
      : []),
  ];
}

interface ExpiryFieldProps {
  expiry: Expiry;
  onChange: (expiry: Expiry) => void;
  error?: string | undefined;
}

/** Presets count from the click that creates the key; the resulting instant is shown in both zones. */
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

/** The warnings about this expiry, and a button that sets the suggested one. */
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
