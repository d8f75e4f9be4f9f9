"use client";

import { useEffect } from "react";
import { reader, t } from "@/components/texts/t";
import { keepInCookie } from "@/components/ui/kept-cookie";
import type { Preferences } from "@/lib/protocol/documents/preferences";

type Language = NonNullable<Preferences["language"]>;

/** Each name in its own language: its reader may not know the other. */
export const languageNames: Record<Language, string> = { en: "English", de: "Deutsch" };

/** The language cookie, which the server reads before it renders, also for pages before sign-in. */
const chosenHere = () =>
  /(?:^|; )gatehouse-language=([^;]*)/.exec(document.cookie)?.[1] ?? document.documentElement.lang;

/** The language of the page, if users can choose it. */
export const shownLanguage = (): Language => (reader().language === "de" ? "de" : "en");

/** Loads the page again in another language. Does nothing when the browser stores no cookies: it would reload forever. */
export function readIn(language: Language): void {
  keepInCookie("gatehouse-language", language);
  if (chosenHere() === language) window.location.reload();
}

interface PageLanguageProps {
  /** The language that the user has chosen, here or on another device. */
  chosen: Language | undefined;
  /** The language that the server rendered this page in. */
  rendered: string;
}

/** Reloads a page that is not in the user's language, or whose document was loaded in another one. */
export function PageLanguage({ chosen, rendered }: PageLanguageProps) {
  useEffect(() => {
    // A test language is not a user's choice, so the page keeps it.
    const isTest = chosenHere().startsWith("qps");
    if (chosen && !isTest && chosen !== chosenHere()) readIn(chosen);
    else if (rendered !== document.documentElement.lang) window.location.reload();
  }, [chosen, rendered]);
  return null;
}

/** Offers the other language, in that language, on pages without a session. */
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
