"use client";

import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import { sessionGate } from "./gate";

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
