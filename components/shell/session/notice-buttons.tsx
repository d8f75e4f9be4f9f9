"use client";

import { useEffect, useRef, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { signInEarly } from "./gate";
import type { SessionWarning } from "./warning";

interface SessionNoticeButtonsProps {
  warning: SessionWarning;
  onDismiss: () => void;
}

/** Gives the focus to the page where it was on one of the buttons when they go. */
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

/** What helps against the end of the session. */
export function SessionNoticeButtons({ warning, onDismiss }: SessionNoticeButtonsProps) {
  const { call } = usePortal();
  const [busy, setBusy] = useState(false);
  const frame = useFocusOfThePage();
  const stay = async () => {
    setBusy(true);
    // Any call is a use. One that fails says so elsewhere: the banner, or the dialog to sign in again.
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
