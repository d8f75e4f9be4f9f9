"use client";

import { useState } from "react";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { TextField } from "@/components/ui/form/text-field";
import { zoneName } from "@/components/ui/instant-words";

const dayMs = 86_400_000;
const presets = [1, 7, 30];

/** As the field wants it: the reader's own clock, to the minute. */
function localText(instant: Date): string {
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

interface EndFieldProps {
  end: string | undefined;
  /** Where a role without an end is not meant. */
  required?: boolean;
}

/** When a role ends, in the reader's own time; empty where it does not. */
export function EndField({ end, required = false }: EndFieldProps) {
  const [value, setValue] = useState(end === undefined ? "" : localText(new Date(end)));
  const set = (days: number) => setValue(localText(new Date(serverNow() + days * dayMs)));
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t("Ends at ({zoneName} time)", { zoneName: zoneName() })}
        hint={required ? undefined : t("Leave it empty for a role that does not end by itself.")}
        required={required}
        name="end"
        type="datetime-local"
        min={localText(new Date(serverNow() + 60_000))}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        {presets.map((days) => (
          <Button key={days} size="small" onClick={() => set(days)}>
            {plural(days, "1 day", "{count} days")}
          </Button>
        ))}
        {required ? null : (
          <Button size="small" onClick={() => setValue("")}>
            {t("No end")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The instant of the field; undefined where it is empty. */
export function endIn(form: FormData): string | undefined {
  const at = new Date(String(form.get("end") ?? ""));
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
