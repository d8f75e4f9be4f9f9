"use client";

import { useEffect } from "react";
import { reader, t } from "@/components/texts/t";
import { keepInCookie } from "@/components/ui/kept-cookie";
import type { Preferences } from "@/lib/protocol/documents/preferences";

type Language = NonNullable<Preferences["language"]>;

/** Each in its own language: its reader may not know the other. */
export const languageNames: Record<Language, string> = { en: "English", de: "Deutsch" };

/** What the server reads before it renders anything: also the pages before signing in. */
const chosenHere = () =>
  /(?:^|; )gatehouse-language=([^;]*)/.exec(document.cookie)?.[1] ?? document.documentElement.lang;

/** The language of the page, where it is one that can be chosen. */
export const shownLanguage = (): Language => (reader().language === "de" ? "de" : "en");

/** Loads the page again in another language. Not where the browser keeps no cookies: it would load for ever. */
export function readIn(language: Language): void {
  keepInCookie("gatehouse-language", language);
  if (chosenHere() === language) window.location.reload();
}

interface PageLanguageProps {
  /** What the person has chosen, here or on another device. */
  chosen: Language | undefined;
  /** What the server rendered this page in. */
  rendered: string;
}

/** Loads a page again that is not in the person's language, or whose document was loaded in another one. */
export function PageLanguage({ chosen, rendered }: PageLanguageProps) {
  useEffect(() => {
    // A test language is nobody's choice, and stays.
    const isTest = chosenHere().startsWith("qps");
    if (chosen && !isTest && chosen !== chosenHere()) readIn(chosen);
    else if (rendered !== document.documentElement.lang) window.location.reload();
  }, [chosen, rendered]);
  return null;
}

/** Offers the other language on pages without a session, by its own name. */
export function LanguageSwitch() {
  const other = shownLanguage() === "de" ? "en" : "de";
  return (
    <button
      type="button"
      lang={other}
      title={t("Language")}
      onClick={() => readIn(other)}
      className="rounded-control px-1 py-0.5 underline decoration-border-strong underline-offset-4 hover:text-text"
    >
      {languageNames[other]}
    </button>
  );
}
