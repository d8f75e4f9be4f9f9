/*
 * Buffers keys while a command opens a page or its dialog, so that no letter is interpreted as a shortcut.
 *
 *   expectPage() -> letters are kept -> pageArrived() -+- a page: dropped
 *                                                      +- a dialog: takeTyped() puts them into its first field
 */

interface Expected {
  /** The time of the command, on the clock of event.timeStamp. */
  since: number;
  hasDialog: boolean;
  text: string;
}

let expected: Expected | undefined;

/** After this time the user is assumed to have given up and may use the shortcuts of the current page. */
const maxWaitMs = 30_000;
/** The maximum time for the dialog after its page has opened. */
const maxDialogWaitMs = 10_000;

/** The parameters of an address that open a dialog. */
const dialogNames = ["do", "generate"];

/** To be called before the router opens an address. */
export function expectPage(href: string): void {
  const { origin, pathname, search } = new URL(href, window.location.href);
  if (origin !== window.location.origin) return;
  const here = window.location.pathname + window.location.search;
  if (pathname + search === here) return;
  const asked = new URLSearchParams(search);
  const hasDialog = dialogNames.some((name) => asked.has(name));
  expected = { since: performance.now(), hasDialog, text: "" };
}

/** Called when the page on screen has changed. */
export function pageArrived(): void {
  if (!expected) return;
  expected = expected.hasDialog
    ? { ...expected, since: performance.now() + maxDialogWaitMs - maxWaitMs }
    : undefined;
}

/** Called when the user does something else. */
export function stopExpecting(): void {
  expected = undefined;
}

/** Whether the page or dialog is still opening, so that keys belong to it and not to the page on screen. */
export function isExpecting(): boolean {
  if (expected && performance.now() - expected.since > maxWaitMs) expected = undefined;
  return expected !== undefined;
}

/** Buffers a letter for the page or dialog that is opening. */
export function typeAhead({ key }: { key: string }): void {
  if (!expected) return;
  if (key === "Backspace") expected.text = expected.text.slice(0, -1);
  else if (key.length === 1) expected.text += key;
}

const setterOf = (field: HTMLInputElement) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;

/** Inserts the buffered text into the focused field, as typing would. */
export function takeTyped(field: HTMLElement | null | undefined): void {
  const text = expected?.hasDialog ? expected.text : "";
  expected = undefined;
  if (text === "" || !(field instanceof HTMLInputElement)) return;
  // Not into a password, a date or a checkbox, which the text was not meant for.
  if (!["text", "search", "email"].includes(field.type)) return;
  setterOf(field)?.call(field, field.value + text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Whether the focused element accepts text, or a choice by letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=range]), textarea, select"))
  );
}

/** Whether a key without Ctrl, Meta or Alt is meant for the page: not for a field, dialog or menu, open or opening, and not handled yet. */
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
