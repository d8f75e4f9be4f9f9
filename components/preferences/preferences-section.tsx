"use client";

import { useEffect, useState } from "react";
import { labelled, type Message, msg, t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/form/segmented";
import { Instant } from "@/components/ui/instant";
import { languageNames, readIn, shownLanguage } from "./language";
import { densities, usePreferences } from "./preferences";

const themes = [
  { value: "light", label: msg("Light") },
  { value: "dark", label: msg("Dark") },
  { value: "system", label: msg("System") },
] as const;

const locales: Record<string, Message> = {
  "de-DE": msg("German (Germany)"),
  "en-GB": msg("English (United Kingdom)"),
  "en-US": msg("English (United States)"),
  "es-ES": msg("Spanish (Spain)"),
  "fr-FR": msg("French (France)"),
  "it-IT": msg("Italian (Italy)"),
  "ja-JP": msg("Japanese (Japan)"),
  "nl-NL": msg("Dutch (Netherlands)"),
  "pl-PL": msg("Polish (Poland)"),
  "pt-BR": msg("Portuguese (Brazil)"),
  "sv-SE": msg("Swedish (Sweden)"),
  "zh-CN": msg("Chinese (China)"),
};

function localeName(tag: string): string {
  const known = locales[tag];
  return known ? t(known) : tag;
}

/** The browser's time zones, after hydration: the server's may differ. */
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

/** The user's preferences. Every choice takes effect at once, here and on other devices. */
export function PreferencesSection() {
  const { preferences, change } = usePreferences();
  const { theme = "system", density = "comfortable" } = preferences;
  return (
    <Card
      id="preferences"
      title={t("Preferences")}
      description={t("Changes apply immediately, wherever you sign in to this tenant.")}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <LanguageField />
        <TimeZoneField />
        <DateFormatField />
        <Segmented
          legend={t("Theme")}
          name="theme"
          options={labelled(themes)}
          value={theme}
          onChange={(next) => void change({ theme: next })}
        />
        <Segmented
          legend={t("Density")}
          name="density"
          options={labelled(densities)}
          value={density}
          onChange={(next) => void change({ density: next })}
        />
      </div>
    </Card>
  );
}

function LanguageField() {
  const { preferences, change } = usePreferences();
  const choose = async (language: string) => {
    const chosen = language === "de" ? "de" : "en";
    if (await change({ language: chosen })) readIn(chosen);
  };
  return (
    <Field label={t("Language")}>
      {(control) => (
        <Select
          {...control}
          value={preferences.language ?? shownLanguage()}
          onChange={({ target }) => void choose(target.value)}
        >
          {Object.entries(languageNames).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function TimeZoneField() {
  const { preferences, change } = usePreferences();
  const { timeZone } = preferences;
  const zones = useTimeZones();
  return (
    <Field label={t("Time zone")}>
      {(control) => (
        <Select
          {...control}
          value={timeZone ?? ""}
          onChange={({ target }) => void change({ timeZone: target.value || undefined })}
        >
          <option value="">{t("Browser time zone")}</option>
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
    <Field label={t("Date format")} hint={<Instant at="2026-12-02T14:00:00.000Z" form="full" />}>
      {(control) => (
        <Select
          {...control}
          value={locale ?? ""}
          onChange={({ target }) => void change({ locale: target.value || undefined })}
        >
          <option value="">{t("Default")}</option>
          {withChosen(Object.keys(locales), locale).map((tag) => (
            <option key={tag} value={tag}>
              {localeName(tag)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
