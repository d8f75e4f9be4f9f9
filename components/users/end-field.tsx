"use client";

import { useState } from "react";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { TextField } from "@/components/ui/form/field";
import { localInput, localInstant, zoneName } from "@/components/ui/instant-words";

const dayMs = 86_400_000;
const presets = [1, 7, 30];

interface EndFieldProps {
  end: string | undefined;
  /** Where a role without an end is not meant. */
  required?: boolean;
}

/** When a role ends, in the reader's own time; empty where it does not. */
export function EndField({ end, required = false }: EndFieldProps) {
  const [value, setValue] = useState(end === undefined ? "" : localInput(new Date(end)));
  const set = (days: number) => setValue(localInput(new Date(serverNow() + days * dayMs)));
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t("Ends at ({zoneName} time)", { zoneName: zoneName() })}
        hint={required ? undefined : t("Leave it empty for a role that does not end by itself.")}
        required={required}
        name="end"
        type="datetime-local"
        min={localInput(new Date(serverNow() + 60_000))}
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
export const endIn = (form: FormData): string | undefined =>
  localInstant(String(form.get("end") ?? ""))?.toISOString();
