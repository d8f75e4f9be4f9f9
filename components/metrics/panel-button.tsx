"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";

/** A panel that closes with Esc or a click outside, and restores the focus. */
function usePanel() {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      frame.current?.querySelector("button")?.focus();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", onPointer);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", onPointer);
    };
  }, [isOpen]);
  return { isOpen, setOpen, frame };
}

interface PanelButtonProps {
  label: string;
  icon: ReactNode;
  /** The name of the panel. */
  title: string;
  align?: "start" | "end";
  /** Receives the function that closes the panel and restores the focus. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a panel of fields under it; on a phone under the surrounding controls. */
export function PanelButton({ label, icon, title, align = "start", children }: PanelButtonProps) {
  const { isOpen, setOpen, frame } = usePanel();
  const close = () => {
    setOpen(false);
    frame.current?.querySelector("button")?.focus();
  };
  return (
    <div ref={frame} className="max-w-full sm:relative">
      <Button
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        icon={icon}
        title={label}
        className="max-w-full"
      >
        <span className="truncate">{label}</span>
      </Button>
      {isOpen ? (
        <section
          aria-label={title}
          className={classNames(
            "enter-rise absolute top-full z-30 mt-1 flex flex-col gap-3 rounded-card bg-bg p-3 shadow-float max-sm:inset-x-0 sm:w-72",
            align === "start" ? "sm:start-0" : "sm:end-0",
          )}
        >
          {children(close)}
        </section>
      ) : null}
    </div>
  );
}
