"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useDeferredValue } from "react";
import { t } from "@/components/texts/t";
import { Button } from "./button";
import { useFocusReturn } from "./focus-return";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** Returns whether leaving by Esc, outside click or X is allowed now. */
  mayLeave?: (() => boolean) | undefined;
  /** Moves the focus elsewhere than to the previously focused element. */
  returnFocus?: (() => void) | undefined;
  wide?: boolean;
}

/** A modal dialog: focus stays inside and returns to where it was. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, children, mayLeave, wide = false } = props;
  // The pressed button updates first: a form renders slowly on a slow device.
  const isDrawn = useDeferredValue(open, false);
  const focus = useFocusReturn(props.returnFocus);
  const leave = (next: boolean) => {
    if (next || !mayLeave || mayLeave()) onOpenChange(next);
  };
  return (
    <Radix.Root open={open && isDrawn} onOpenChange={leave}>
      <Radix.Portal>
        <Radix.Overlay className="enter-fade fixed inset-0 z-40 bg-(--scrim)" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          {...focus}
          className={`enter-rise fixed inset-x-3 top-[max(12px,8vh)] z-50 mx-auto flex max-h-[min(44rem,84vh)] flex-col rounded-dialog bg-bg shadow-float outline-none ${wide ? "max-w-2xl" : "max-w-lg"}`}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="wrap-anywhere text-lead font-semibold">{title}</Radix.Title>
              {description ? (
                <Radix.Description className="mt-0.5 wrap-anywhere text-body text-pretty text-muted">
                  {description}
                </Radix.Description>
              ) : null}
            </div>
            <Radix.Close asChild>
              <Button
                tone="quiet"
                size="icon"
                aria-label={t("Close dialog")}
                className="-me-2 -mt-0.5"
              >
                <X aria-hidden="true" className="size-4" />
              </Button>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-end gap-2">{children}</div>;
}
