"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { sessionGate } from "./session-gate";

const SessionOverDialog = lazy(() =>
  import("./session-over-dialog").then((module) => ({ default: module.SessionOverDialog })),
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
