"use client";

import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { usePortal } from "@/components/shell/portal";
import { lazyPart } from "@/components/ui/lazy-part";
import { sessionGate } from "./gate";
import { startSession } from "./times";

const SessionNotice = lazyPart(() => import("./notice").then((module) => module.SessionNotice));

/** The delay before the notice loads: no session ends this soon after a page has loaded. */
const laterMs = 5000;

/** Records the end of the session; the code of the notice loads well after the page. */
export function SessionNoticeLater() {
  const { view } = usePortal();
  const [isDue, setIsDue] = useState(false);
  useEffect(() => startSession(view), [view]);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), laterMs);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? (
    <Suspense>
      <SessionNotice />
    </Suspense>
  ) : null;
}

const SessionOverDialog = lazyPart(() =>
  import("./over-dialog").then((module) => module.SessionOverDialog),
);

/** Asks for a new sign-in in a dialog over the page, so that no input is lost. */
export function SessionOver() {
  const closed = useSyncExternalStore(sessionGate.subscribe, sessionGate.isClosed, () => false);
  return closed ? (
    <Suspense>
      <SessionOverDialog />
    </Suspense>
  ) : null;
}
