"use client";

import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { usePortal } from "@/components/shell/portal";
import { lazyPart } from "@/components/ui/lazy-part";
import { sessionGate } from "./gate";
import { startSession } from "./times";

const SessionNotice = lazyPart(() => import("./notice").then((module) => module.SessionNotice));

/** No session ends so soon after a page has loaded that this is too late. */
const laterMs = 5000;

/** Notes when the session ends; the code that says so arrives when the page has long been there. */
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

/** Asks to sign in again over the page as it stands, so that nothing typed is lost. */
export function SessionOver() {
  const closed = useSyncExternalStore(sessionGate.subscribe, sessionGate.isClosed, () => false);
  return closed ? (
    <Suspense>
      <SessionOverDialog />
    </Suspense>
  ) : null;
}
