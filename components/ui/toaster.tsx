"use client";

import { Toaster as Sonner, toast } from "sonner";

interface Action {
  label: string;
  onClick: () => void;
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

/** What can be undone is read first, and decided on: that takes longer than reading. */
const decisionMs = 10_000;

export function show(message: string, action?: Action): void {
  toast(message, action ? { action: withFocusBack(action), duration: decisionMs } : {});
}

export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      gap={8}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-card bg-text px-4 py-3 text-control text-bg shadow-float",
          title: "flex-1",
          actionButton: "rounded-control px-2 py-1 font-medium underline underline-offset-4",
        },
      }}
    />
  );
}
