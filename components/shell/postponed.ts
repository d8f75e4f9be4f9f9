"use client";

/*
 * What has an effect at once that can be taken back, and a final step that cannot: the final step waits for the time of Undo.
 *
 *   postpone() -+- Undo --------------------------> undo()
 *               +- the time is over, ------+
 *               |  or the page is left     +------> finish() -+- done
 *               +- the session ends -------+                  +- no connection: again until there is one
 *                                                             +- rejected: says so, with a retry
 *
 * The page keeps the steps, not a component: they outlive the view in which they began.
 */

import { useCallback, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { isUnreachable } from "@/components/ui/last-data";
import { hideStanding, isMessageHeld, showStanding } from "@/components/ui/standing-message";
import { undoMs } from "@/components/ui/undo-time";
import { beforeSignOut } from "./sign-out";

export interface Postponed {
  /** What is changed, such as a key by its id. */
  id: string;
  /** What was done, and what follows. */
  message: string;
  undo: () => void;
  /** The final step. It outlives the page (`keepalive`), and may be done more than once. */
  finish: () => Promise<unknown>;
  /** What is not done yet while the service cannot be reached. */
  unreachable: string;
  /** What is not done, and why. */
  failed: (error: unknown) => string;
}

interface Step {
  of: Postponed;
  /** Whether it is too late for Undo. */
  isDue: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** A message under the pointer or with the focus is not taken away, but not for ever: a pointer may rest anywhere. */
const maxHeldMs = 50_000;
const heldCheckMs = 500;

/** How soon it is tried again while nothing answers, as reads are. */
const unreachableRetryMs = 1500;

const steps = new Map<string, Step>();
const listeners = new Set<() => void>();

function set(id: string, step: Step | undefined): void {
  if (step) steps.set(id, step);
  else steps.delete(id);
  for (const listener of listeners) listener();
}

/** Shows the message with Undo, and takes the final step when its time is over or the page is left. */
export function postpone(of: Postponed): void {
  const step: Step = { of, isDue: false };
  step.timer = setTimeout(() => lapse(step, 0), undoMs);
  set(of.id, step);
  window.addEventListener("pagehide", leave);
  beforeSignOut(finishPostponed);
  const undo = () => {
    if (step.isDue) return;
    clearTimeout(step.timer);
    hideStanding(of.id);
    set(of.id, undefined);
    of.undo();
  };
  void showStanding(of.id, { message: of.message, action: { label: t("Undo"), onClick: undo } });
}

function lapse(step: Step, heldMs: number): void {
  if (heldMs < maxHeldMs && isMessageHeld())
    step.timer = setTimeout(() => lapse(step, heldMs + heldCheckMs), heldCheckMs);
  else void complete(step);
}

async function complete(step: Step): Promise<void> {
  const { of } = step;
  clearTimeout(step.timer);
  step.isDue = true;
  set(of.id, step);
  hideStanding(of.id);
  try {
    await untilReached(of);
    hideStanding(of.id);
  } catch (error) {
    const action = { label: t("Try again"), onClick: () => void complete(step) };
    void showStanding(of.id, { message: of.failed(error), action, close: t("Close") });
  } finally {
    set(of.id, undefined);
  }
}

async function untilReached(of: Postponed): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      await of.finish();
      return;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
    if (attempts === 0) void showStanding(of.id, { message: of.unreachable });
    await new Promise((resolve) => setTimeout(resolve, unreachableRetryMs));
  }
}

/** Takes each final step now: the session ends. */
async function finishPostponed(): Promise<void> {
  const all = [...steps.values()];
  await Promise.allSettled(all.map((step) => (step.isDue ? step.of.finish() : complete(step))));
}

const leave = () => void finishPostponed();

/** Whether the final step of something still waits. */
export function useIsPostponed(id: string): boolean {
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return useSyncExternalStore(
    subscribe,
    () => steps.has(id),
    () => false,
  );
}
