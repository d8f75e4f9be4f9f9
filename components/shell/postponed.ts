"use client";

/*
 * An action whose first step can be undone and whose final step cannot: the final step waits until the time for Undo is over.
 *
 *   postpone() -+- Undo --------------------------> undo()
 *               +- the time is over, ------+
 *               |  or the page is left     +------> finish() -+- done
 *               +- the session ends -------+                  +- no connection: again until there is one
 *                                                             +- rejected: says so, with a retry
 *
 * The steps are stored in the page, not in a component: they outlive the view that started them.
 */

import { useCallback, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { isUnreachable } from "@/components/ui/last-data";
import { hideStanding, isMessageHeld, showStanding } from "@/components/ui/standing-message";
import { undoMs } from "@/components/ui/undo-time";
import { beforeSignOut } from "./sign-out";

export interface Postponed {
  /** The id of the changed object, such as a key. */
  id: string;
  /** The message about the first step and its consequence. */
  message: string;
  undo: () => void;
  /** The final step. It outlives the page (`keepalive`) and must be idempotent. */
  finish: () => Promise<unknown>;
  /** The message while the service is unreachable and the step is pending. */
  unreachable: string;
  /** The message that the step failed, with the reason. */
  failed: (error: unknown) => string;
}

interface Step {
  of: Postponed;
  /** Whether it is too late for Undo. */
  isDue: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** The limit for a message under the pointer or with the focus, which stays longer: a pointer may rest anywhere. */
const maxHeldMs = 50_000;
const heldCheckMs = 500;

/** The retry delay while the service is unreachable, the same as for reads. */
const unreachableRetryMs = 1500;

const steps = new Map<string, Step>();
const listeners = new Set<() => void>();

function set(id: string, step: Step | undefined): void {
  if (step) steps.set(id, step);
  else steps.delete(id);
  for (const listener of listeners) listener();
}

/** Shows the message with Undo, and runs the final step when the time is over or the page is left. */
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

/** Runs all final steps now, before the session ends. */
async function finishPostponed(): Promise<void> {
  const all = [...steps.values()];
  await Promise.allSettled(all.map((step) => (step.isDue ? step.of.finish() : complete(step))));
}

const leave = () => void finishPostponed();

/** Whether the final step of an object is pending. */
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
