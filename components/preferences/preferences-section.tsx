"use client";

import { useEffect, useState } from "react";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Instant } from "@/components/ui/instant";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { densities, usePreferences } from "./preferences";

const themes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
] as const;

const locales: Record<string, string> = {
  "de-DE": "German (Germany)",
  "en-GB": "English (United Kingdom)",
  "en-US": "English (United States)",
  "es-ES": "Spanish (Spain)",
  "fr-FR": "French (France)",
  "it-IT": "Italian (Italy)",
  "ja-JP": "Japanese (Japan)",
  "nl-NL": "Dutch (Netherlands)",
  "pl-PL": "Polish (Poland)",
  "pt-BR": "Portuguese (Brazil)",
  "sv-SE": "Swedish (Sweden)",
  "zh-CN": "Chinese (China)",
};

/** The browser's own list, once it runs: the server's may differ. */
function useTimeZones(): string[] {
  const [zones, setZones] = useState<string[]>([]);
  useEffect(
    () => setZones(["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")]),
    [],
  );
  return zones;
}

const withChosen = (all: string[], chosen: string | undefined) =>
  chosen === undefined || all.includes(chosen) ? all : [chosen, ...all];

/** How one wants to see things. Every choice takes effect at once, here and on one's other devices. */
export function PreferencesSection() {
  const { preferences, change } = usePreferences();
  const { theme = "system", density = "comfortable" } = preferences;
  return (
    <Card
      id="preferences"
      title="Preferences"
      description="Changes apply immediately, wherever you sign in to this tenant."
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TimeZoneField />
        <DateFormatField />
        <Segmented
          legend="Theme"
          name="theme"
          options={themes}
          value={theme}
          onChange={(next) => void change({ theme: next })}
        />
        <Segmented
          legend="Density"
          name="density"
          options={densities}
          value={density}
          onChange={(next) => void change({ density: next })}
        />
      </div>
    </Card>
  );
}

function TimeZoneField() {
  const { preferences, change } = usePreferences();
  const { timeZone } = preferences;
  const zones = useTimeZones();
  return (
    <Field label="Time zone">
      {(control) => (
        <Select
          {...control}
          value={timeZone ?? ""}
          onChange={({ target }) => void change({ timeZone: target.value || undefined })}
        >
          <option value="">Browser time zone</option>
          {withChosen(zones, timeZone).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function DateFormatField() {
  const { preferences, change } = usePreferences();
  const { locale } = preferences;
  return (
    <Field label="Date format" hint={<Instant at="2026-12-02T14:00:00.000Z" form="full" />}>
      {(control) => (
        <Select
          {...control}
          value={locale ?? ""}
          onChange={({ target }) => void change({ locale: target.value || undefined })}
        >
          <option value="">Default</option>
          {withChosen(Object.keys(locales), locale).map((tag) => (
            <option key={tag} value={tag}>
              {locales[tag] ?? tag}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
