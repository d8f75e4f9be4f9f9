import { isExpecting } from "./typed-ahead";

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
