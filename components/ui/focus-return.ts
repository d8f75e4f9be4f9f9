import { useRef } from "react";

/** For dialogs without a trigger of their own: the focus goes to the marked field, and afterwards back to where it was. */
export function useFocusReturn(elsewhere?: () => void) {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      before.current = document.activeElement;
      const field =
        event.target instanceof HTMLElement
          ? event.target.querySelector<HTMLElement>("[data-autofocus]")
          : null;
      if (!field) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (elsewhere) elsewhere();
      else if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
