"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";

const load = () => import("./toaster");
const Toaster = lazy(() => load().then((module) => ({ default: module.Toaster })));

let wanted = false;
const listeners = new Set<() => void>();

/** Says briefly that something was done. The code for it arrives with the first message. */
export async function notify(
  message: string,
  action?: { label: string; onClick: () => void },
): Promise<void> {
  wanted = true;
  for (const listener of listeners) listener();
  const { show } = await load();
  show(message, action);
}

/** Where the messages appear; one per page. */
export function Toasts() {
  const show = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => wanted,
    () => false,
  );
  return show ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
