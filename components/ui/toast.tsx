"use client";

import { useSyncExternalStore } from "react";
import { whenIdle } from "./idle";
import { createPart } from "./part";
import type { Action } from "./toaster";

/** The code of the messages. */
export const toaster = createPart(() => import("./toaster"));
whenIdle(toaster.load);

/** Says briefly that something was done. The code for it arrives with the first message, or earlier when the page is idle. */
export async function notify(message: string, action?: Action): Promise<void> {
  const { show } = await toaster.arrival();
  show(message, action);
}

/** Where the messages appear; one per page. */
export function Toasts() {
  const arrived = useSyncExternalStore(toaster.subscribe, toaster.module, () => undefined);
  return arrived ? <arrived.Toaster /> : null;
}
