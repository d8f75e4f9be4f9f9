import { useRef } from "react";
import { takeTyped } from "./typed-ahead";

/** The initial focus: the marked field, otherwise the first one, otherwise the confirm button of an action that can be undone. */
const first = [
  "[data-autofocus]",
  "form :is(input:not([type=radio], [type=hidden]), input:checked, select, textarea)",
  "form [type=submit]:not([data-danger], :disabled)",
];

const firstIn = (dialog: HTMLElement) =>
  first.map((selector) => dialog.querySelector<HTMLElement>(selector)).find((found) => found);

/** For dialogs without their own trigger: moves the focus to the first field, and back to the previous element on close. */
export function useFocusReturn(elsewhere?: () => void) {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      before.current = document.activeElement;
      const field = event.target instanceof HTMLElement ? firstIn(event.target) : undefined;
      if (field) {
        event.preventDefault();
        field.focus();
      }
      takeTyped(field);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (elsewhere) elsewhere();
      else if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
