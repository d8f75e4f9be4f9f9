"use client";

import { use, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { InstantChoices } from "@/components/ui/instant";
import { timeOfDay } from "@/components/ui/instant-words";
import { signInEarly } from "./gate";
import { findSession, type SessionWarning, sessionsVersion, subscribe, warningOf } from "./times";

interface SessionNoticeButtonsProps {
  warning: SessionWarning;
  onDismiss: () => void;
}

/** Moves the focus to the page when a focused button disappears. */
function useFocusOfThePage() {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = frame.current;
    return () => {
      if (!buttons?.contains(document.activeElement)) return;
      document.getElementById("content")?.focus({ preventScroll: true });
    };
  }, []);
  return frame;
}

/** Buttons that extend the session. */
function SessionNoticeButtons({ warning, onDismiss }: SessionNoticeButtonsProps) {
  const { call } = usePortal();
  const [busy, setBusy] = useState(false);
  const frame = useFocusOfThePage();
  const stay = async () => {
    setBusy(true);
    // Any call extends the session. A failure is shown elsewhere: by the banner, or by the dialog to sign in again.
    await call("GET /v1/user/session", {}).catch(() => undefined);
    setBusy(false);
  };
  return (
    <div ref={frame} className="mt-2 flex flex-wrap gap-2">
      {warning.kind === "end" ? (
        <Button size="small" tone="primary" onClick={() => signInEarly(warning.at)}>
          {t("Sign in again")}
        </Button>
      ) : (
        <Button size="small" tone="primary" busy={busy} onClick={() => void stay()}>
          {t("Stay signed in")}
        </Button>
      )}
      <Button size="small" tone="quiet" onClick={onDismiss}>
        {t("Dismiss")}
      </Button>
    </div>
  );
}

const longestWaitMs = 3_600_000;

/** The current warning about the end of the session. */
function useWarning(): SessionWarning | undefined {
  const { view } = usePortal();
  const [, setLooked] = useState(0);
  useSyncExternalStore(subscribe, sessionsVersion, () => 0);
  const session = findSession(view.tenant);
  const now = Date.now();
  const { warning, changesAt } = session
    ? warningOf(session, now)
    : { warning: undefined, changesAt: undefined };
  useEffect(() => {
    const look = () => setLooked((looked) => looked + 1);
    // Timers do not run while the computer sleeps.
    document.addEventListener("visibilitychange", look);
    const waitMs = Math.min(longestWaitMs, Math.max(1, (changesAt ?? 0) - Date.now()));
    const timer = changesAt === undefined ? undefined : setTimeout(look, waitMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [changesAt]);
  return warning;
}

function useText(warning: SessionWarning | undefined): string {
  const { timeZone, locale } = use(InstantChoices);
  if (!warning) return "";
  const time = timeOfDay(new Date(warning.at), timeZone, locale);
  return warning.kind === "end"
    ? t("Your session ends at {time}. Sign in again now to keep working without a break.", { time })
    : t("Your session ends at {time} unless you use it.", { time });
}

/** Warns before the session ends, once for each end, and offers to extend it. */
export function SessionNotice() {
  const [dismissed, setDismissed] = useState<string>();
  const warning = useWarning();
  // To the minute, because the server's clock is known only to the second.
  const key = warning && `${warning.kind} ${Math.round(warning.at / 60_000)}`;
  const shown = key === dismissed ? undefined : warning;
  const text = useText(shown);
  const look = shown
    ? "enter-rise fixed inset-x-3 bottom-4 z-30 mx-auto max-w-md rounded-card border border-border bg-bg px-4 py-3 shadow-float print:hidden"
    : undefined;
  return (
    <section className={look} aria-label={shown ? t("End of the session") : undefined}>
      <p role="status" className="text-body text-pretty">
        {text}
      </p>
      {shown ? <SessionNoticeButtons warning={shown} onDismiss={() => setDismissed(key)} /> : null}
    </section>
  );
}
