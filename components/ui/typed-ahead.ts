/*
 * Keys between a command and what it opens: the page, or its dialog, is on its way, and no letter may be taken for a shortcut.
 *
 *   expectPage() -> letters are kept -> pageArrived() -+- a page: dropped
 *                                                      +- a dialog: takeTyped() puts them into its first field
 */

interface Expected {
  /** When it was asked for, by the clock of events. */
  since: number;
  hasDialog: boolean;
  text: string;
}

let expected: Expected | undefined;

/** A person who waits longer for a page has given up, and may use the shortcuts of the present one. */
const maxWaitMs = 30_000;
/** How long the dialog of a page that is there may take. */
const maxDialogWaitMs = 10_000;

/** The parameters by which an address asks for a dialog. */
const dialogNames = ["do", "generate"];

/** To be called before the router leads to an address. */
export function expectPage(href: string): void {
  const { origin, pathname, search } = new URL(href, window.location.href);
  if (origin !== window.location.origin) return;
  const here = window.location.pathname + window.location.search;
  if (pathname + search === here) return;
  const asked = new URLSearchParams(search);
  const hasDialog = dialogNames.some((name) => asked.has(name));
  expected = { since: performance.now(), hasDialog, text: "" };
}

/** The page on screen is another one than before. */
export function pageArrived(): void {
  if (!expected) return;
  expected = expected.hasDialog
    ? { ...expected, since: performance.now() + maxDialogWaitMs - maxWaitMs }
    : undefined;
}

/** The person does something else. */
export function stopExpecting(): void {
  expected = undefined;
}

/** Whether what was asked for is not there yet, so that keys belong to it and not to the page on screen. */
export function isExpecting(): boolean {
  if (expected && performance.now() - expected.since > maxWaitMs) expected = undefined;
  return expected !== undefined;
}

/** Keeps a letter for what is about to open. */
export function typeAhead({ key }: { key: string }): void {
  if (!expected) return;
  if (key === "Backspace") expected.text = expected.text.slice(0, -1);
  else if (key.length === 1) expected.text += key;
}

const setterOf = (field: HTMLInputElement) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;

/** Puts what was typed meanwhile into the field that has the focus now, as typing would. */
export function takeTyped(field: HTMLElement | null | undefined): void {
  const text = expected?.hasDialog ? expected.text : "";
  expected = undefined;
  if (text === "" || !(field instanceof HTMLInputElement)) return;
  // Nobody meant a password, a date or a tick.
  if (!["text", "search", "email"].includes(field.type)) return;
  setterOf(field)?.call(field, field.value + text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Whether what has the focus takes text, or a choice by letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=range]), textarea, select"))
  );
}

/** Whether a key without Ctrl, Meta or Alt is meant for the page: not for a field, a dialog or a menu, nor for what is about to open, and not used already. */
export function isForPage(event: KeyboardEvent): boolean {
  return !(
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    isExpecting() ||
    document.querySelector("[role=dialog], [role=menu]")
  );
}
