"use client";

import { useCommandState } from "cmdk";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

interface Selection {
  value: string;
  onValueChange: (value: string) => void;
  /** Whether an item was chosen by arrow or pointer since the last input. */
  isChosen: RefObject<boolean>;
}

/** Defers an Enter pressed before the list is rendered. */
function useEarlyEnter(isDrawn: boolean) {
  const field = useRef<EventTarget>(undefined);
  useEffect(() => {
    const early = field.current;
    if (!isDrawn || !early) return;
    const press = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    const frame = requestAnimationFrame(() => early.dispatchEvent(press));
    return () => cancelAnimationFrame(frame);
  }, [isDrawn]);
  return (event: KeyboardEvent) => {
    if (isDrawn || event.key !== "Enter") return;
    event.preventDefault();
    field.current = event.target;
  };
}

/** The item of the palette that Enter opens. */
export function usePaletteSelection(isDrawn: boolean) {
  const [value, onValueChange] = useState("");
  const isChosen = useRef(false);
  const selection: Selection = { value, onValueChange, isChosen };
  const keepEarly = useEarlyEnter(isDrawn);
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => {
      keepEarly(event);
      if (/^(?:Arrow|Home|End)/.test(event.key) || event.ctrlKey) isChosen.current = true;
    },
    onPointerMove: () => {
      isChosen.current = true;
    },
  };
  return {
    selection,
    command: { value, onValueChange, ...handlers },
    typed: () => {
      isChosen.current = false;
    },
  };
}

/**
 * Keeps the first item selected until another is chosen: users, keys and sites load later and are
 * inserted above the selected item, but Enter must open the first one on screen.
 */
export function SelectFirst({ value, onValueChange, isChosen }: Selection) {
  const shown = useCommandState(({ filtered, search }) => {
    const found = [...filtered.items].filter(([, score]) => score > 0).map(([id]) => id);
    return search && `${search} ${found.join(" ")}`;
  });
  useEffect(() => {
    if (shown === "" || isChosen.current) return;
    const first = document.querySelector("[cmdk-item]:not([aria-disabled=true])");
    const found = first?.getAttribute("data-value");
    if (found && found !== value) onValueChange(found);
  }, [shown, value, onValueChange, isChosen]);
  return null;
}
