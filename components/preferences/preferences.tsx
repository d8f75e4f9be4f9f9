"use client";

import { useTheme } from "next-themes";
import { createContext, type ReactNode, use, useMemo, useRef, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import type { PortalView } from "@/components/shell/portal-view";
import { msg, t } from "@/components/texts/t";
import { noteFirstTime } from "@/components/ui/clock";
import { errorText } from "@/components/ui/error-notice";
import { InstantChoices } from "@/components/ui/instant";
import { notify } from "@/components/ui/toast";
import type { Preferences } from "@/lib/protocol/documents/preferences";

export const densities = [
  { value: "comfortable", label: msg("Normal") },
  { value: "compact", label: msg("Compact") },
] as const;

type Change = { [Name in keyof Preferences]?: Preferences[Name] | undefined };

interface Chosen {
  preferences: Preferences;
  /** Takes effect at once, also on the user's other devices; undefined means the browser's setting. False when it was not saved. */
  change: (these: Change) => Promise<boolean>;
}

const PreferencesContext = createContext<Chosen | undefined>(undefined);

export function usePreferences(): Chosen {
  const chosen = use(PreferencesContext);
  if (!chosen) throw new Error("usePreferences needs a PreferencesProvider around it.");
  return chosen;
}

/** The formatting of instants: initially with the time and zone that the page was rendered with. */
function useInstantChoices({ timeZone, locale }: Preferences, { session, zone }: PortalView) {
  const now = Date.parse(session.now);
  noteFirstTime(now);
  const firstZone = zone.isKnown ? zone.name : undefined;
  return useMemo(
    () => ({ timeZone, locale, first: { now, zone: firstZone } }),
    [timeZone, locale, now, firstZone],
  );
}

/** Provides the user's preferences in this tenant. */
export function PreferencesProvider({
  chosen,
  children,
}: {
  chosen: Preferences;
  children: ReactNode;
}) {
  const { call, view } = usePortal();
  const { setTheme } = useTheme();
  const [preferences, setPreferences] = useState(chosen);
  const choices = useInstantChoices(preferences, view);
  const newest = useRef(chosen);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const show = (next: Preferences) => {
    if (next.theme !== newest.current.theme) setTheme(next.theme ?? "system");
    newest.current = next;
    setPreferences(next);
  };
  const change = async (these: Change) => {
    const before = newest.current;
    const after: Change = { ...before, ...these };
    const next = Object.fromEntries(
      Object.entries(after).filter(([, value]) => value !== undefined),
    );
    show(next);
    // Sent one after the other: of two concurrent requests the older could arrive last and win.
    const sent = sending.current.then(() => call("PUT /v1/user/preferences", { body: next }));
    sending.current = sent.catch(() => undefined);
    try {
      await sent;
      return true;
    } catch (error) {
      if (newest.current === next) show(before);
      await notify(t("Preference not saved. {reason}", { reason: errorText(error) }));
      return false;
    }
  };
  return (
    <PreferencesContext value={{ preferences, change }}>
      <InstantChoices value={choices}>
        <div className="contents" data-density={preferences.density}>
          {children}
        </div>
      </InstantChoices>
    </PreferencesContext>
  );
}
