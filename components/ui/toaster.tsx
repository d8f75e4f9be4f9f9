"use client";

import { Toaster as Sonner, toast } from "sonner";
import { classNames } from "./class-names";
import { isForPage } from "./typed-ahead";
import { undoMs } from "./undo-time";

export interface Action {
  label: string;
  onClick: () => void;
}

export interface StandingMessage {
  message: string;
  action?: Action;
  /** The label of the close button, if the message can be closed without the action. */
  close?: string;
}

/**
 * Returns the focus as soon as the action is chosen. Otherwise it would return after the fade-out
 * and take the focus from an element opened in the meantime: a menu would close.
 */
const withFocusBack = ({ label, onClick }: Action): Action => ({
  label,
  onClick: () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onClick();
  },
});

/** The actions of the shown messages, newest last, for the Z key. */
const offered: { id: string; choose: () => void }[] = [];

function withdraw(id: string): void {
  const index = offered.findIndex((one) => one.id === id);
  if (index >= 0) offered.splice(index, 1);
}

/** Z chooses the action of the newest message, because reaching it with Tab takes longer than it is shown. */
function onKey(event: KeyboardEvent): void {
  const newest = offered.at(-1);
  if (event.key.toLowerCase() !== "z" || !newest || !isForPage(event)) return;
  event.preventDefault();
  newest.choose();
}

let isListening = false;

/** The action button of a message, with its cleanup. An action is chosen once: Sonner reports no dismissal when its button is pressed. */
function offer({ label, onClick }: Action, id: string) {
  const choose = () => {
    withdraw(id);
    toast.dismiss(id);
    onClick();
  };
  offered.push({ id, choose });
  if (!isListening) window.addEventListener("keydown", onKey);
  isListening = true;
  return {
    id,
    action: withFocusBack({ label, onClick: choose }),
    onDismiss: () => withdraw(id),
    onAutoClose: () => withdraw(id),
  };
}

let count = 0;
const newId = () => `message-${++count}`;

export function show(message: string, action?: Action): void {
  toast(message, action ? { ...offer(action, newId()), duration: undoMs } : {});
}

/** Shows a message without a timeout. Returns a function that hides it. */
export function stand({ message, action, close }: StandingMessage): () => void {
  const id = newId();
  toast(message, {
    id,
    ...(action && offer(action, id)),
    ...(close !== undefined && {
      cancel: { label: close, onClick: () => withdraw(id) },
      // With two buttons the text has too little room next to them.
      classNames: { toast: "flex-wrap justify-end", content: "basis-full" },
    }),
    duration: Number.POSITIVE_INFINITY,
  });
  return () => {
    withdraw(id);
    toast.dismiss(id);
  };
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
          actionButton: classNames(
            buttonLook,
            "font-medium after:ms-2 after:rounded-[4px] after:border after:px-1 after:text-meta after:content-['Z'/'']",
          ),
          cancelButton: classNames(buttonLook, "order-last"),
        },
      }}
    />
  );
}
