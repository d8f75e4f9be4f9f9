"use client";

import { useSyncExternalStore } from "react";
import { whenIdle } from "./idle";
import { createPart } from "./part";
import type { Action } from "./toaster";

/** The code of the messages. */
export const toaster = createPart(() => import("./toaster"));
whenIdle(toaster.load);

/** Shows a short message that an action is done. Its code loads with the first message, or earlier when the page is idle. */
export async function notify(message: string, action?: Action): Promise<void> {
  const { show } = await toaster.arrival();
  show(message, action);
}

/** The container of the messages; one per page. */
export function Toasts() {
  const arrived = useSyncExternalStore(toaster.subscribe, toaster.module, () => undefined);
  return arrived ? <arrived.Toaster /> : null;
}
