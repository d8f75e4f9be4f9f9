"use client";

import { Toaster as Sonner, toast } from "sonner";
import { classNames } from "./class-names";
import { undoMs } from "./undo-time";

export interface Action {
  label: string;
  onClick: () => void;
}

export interface StandingMessage {
  message: string;
  action?: Action;
  /** The label of the button that closes it, where the person may leave it at that. */
  close?: string;
}

/**
 * The focus goes back to where it was as soon as the action is chosen. Otherwise it goes back when the message has faded out, and
 * takes the focus from what was opened meanwhile: a menu then closes itself.
 */
const withFocusBack = ({ label, onClick }: Action): Action => ({
  label,
  onClick: () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onClick();
  },
});

export function show(message: string, action?: Action): void {
  toast(message, action ? { action: withFocusBack(action), duration: undoMs } : {});
}

/** Shows a message without an end. Returns how to hide it. */
export function stand({ message, action, close }: StandingMessage): () => void {
  const id = toast(message, {
    action: action && withFocusBack(action),
    ...(close !== undefined && {
      cancel: { label: close, onClick: () => undefined },
      // Two buttons leave the text too little room next to them.
      classNames: { toast: "flex-wrap justify-end", content: "basis-full" },
    }),
    duration: Number.POSITIVE_INFINITY,
  });
  return () => void toast.dismiss(id);
}

export const isHeld = (): boolean =>
  document.querySelector("[data-sonner-toaster]:is(:hover, :focus-within)") !== null;

const buttonLook =
  "shrink-0 whitespace-nowrap rounded-control px-2 py-1 underline underline-offset-4";

export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      gap={8}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-card bg-text px-4 py-3 font-sans text-control text-bg shadow-float",
          title: "flex-1",
          actionButton: classNames(buttonLook, "font-medium"),
          cancelButton: classNames(buttonLook, "order-last"),
        },
      }}
    />
  );
}
