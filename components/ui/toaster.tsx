"use client";

import { Toaster as Sonner, toast } from "sonner";

export function show(message: string, action?: { label: string; onClick: () => void }): void {
  toast(message, action ? { action } : {});
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
