"use client";

import { toaster } from "./toast";
import type { StandingMessage } from "./toaster";

/** What stands, or will as soon as the code for it is there; each with how to hide it. */
const standing = new Map<string, { hide: () => void }>();

/** Shows a message until it is hidden or answered; it takes the place of the one about the same thing. */
export async function showStanding(about: string, message: StandingMessage): Promise<void> {
  hideStanding(about);
  const shown = { hide: () => {} };
  standing.set(about, shown);
  const { stand } = await toaster.arrival();
  // It may be hidden before the code for it has arrived.
  if (standing.get(about) === shown) shown.hide = stand(message);
}

export function hideStanding(about: string): void {
  standing.get(about)?.hide();
  standing.delete(about);
}

/** Whether the pointer or the focus is on a message: it is read, or about to be answered. */
export const isMessageHeld = (): boolean => toaster.module()?.isHeld() ?? false;
