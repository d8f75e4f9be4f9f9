"use client";

import { toaster } from "./toast";
import type { StandingMessage } from "./toaster";

/** The messages that are shown, or will be once the code has loaded, each with a function to hide it. */
const standing = new Map<string, { hide: () => void }>();

/** Shows a message until it is hidden or answered; it replaces the one about the same subject. */
export async function showStanding(about: string, message: StandingMessage): Promise<void> {
  hideStanding(about);
  const shown = { hide: () => {} };
  standing.set(about, shown);
  const { stand } = await toaster.arrival();
  // It may be hidden before its code has loaded.
  if (standing.get(about) === shown) shown.hide = stand(message);
}

export function hideStanding(about: string): void {
  standing.get(about)?.hide();
  standing.delete(about);
}

/** Whether the pointer or the focus is on a message: the user reads it or is about to answer it. */
export const isMessageHeld = (): boolean => toaster.module()?.isHeld() ?? false;
