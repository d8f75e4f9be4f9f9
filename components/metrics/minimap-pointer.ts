"use client";

import { type PointerEvent, useRef, useState } from "react";
import { type Grip, instantAt, withGripNear } from "./minimap-window";
import type { Range } from "./range";

interface Strip {
  borders: number[];
  window: Range;
  /** Called with the window while it is held, and once more when it is released. */
  onHold: (window: Range) => void;
  onDone: (window: Range) => void;
}

interface Held {
  grip: Grip;
  /** The offset of the pointer from the grip's instant. */
  offset: number;
  /** The window when it was grabbed, and the current one. */
  before: Range;
  now: Range;
}

const grips: readonly Grip[] = ["start", "end", "all"];

function gripOf(target: EventTarget): Grip | undefined {
  const name =
    target instanceof Element
      ? target.closest<HTMLElement>("[data-grip]")?.dataset.grip
      : undefined;
  return grips.find((grip) => grip === name);
}

type Handler = (event: PointerEvent<HTMLDivElement>) => void;

/** The pointer moves the window or one of its borders; a press outside the window moves it there. */
export function useStripPointer({ borders, window, onHold, onDone }: Strip) {
  const held = useRef<Held>(undefined);
  const [isHeld, setIsHeld] = useState(false);
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>, hold: Held) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = instantAt(borders, (clientX - left) / width) - hold.offset;
    hold.now = withGripNear(borders, hold.before, hold.grip, at);
    onHold(hold.now);
  };
  const letGo = () => {
    held.current = undefined;
    setIsHeld(false);
  };
  const onPointerDown: Handler = (event) => {
    if (event.button !== 0) return;
    const { currentTarget: strip, target, clientX, pointerId } = event;
    const taken = gripOf(target);
    const grip = taken ?? "all";
    const { left, width } = strip.getBoundingClientRect();
    const at = instantAt(borders, (clientX - left) / width);
    const own = grip === "end" ? window.to : window.from;
    const offset = taken ? at - own : (window.to - window.from) / 2;
    held.current = { grip, offset, before: window, now: window };
    setIsHeld(true);
    strip.setPointerCapture(pointerId);
    // Keys continue from the grabbed grip; the event's default action would move the focus away.
    event.preventDefault();
    strip.querySelector<HTMLElement>(`[data-grip=${grip}] > input`)?.focus({ preventScroll: true });
    follow(event, held.current);
  };
  const onPointerMove: Handler = (event) => {
    if (held.current) follow(event, held.current);
  };
  const onPointerUp: Handler = (event) => {
    if (!held.current) return;
    follow(event, held.current);
    onDone(held.current.now);
    letGo();
  };
  const onPointerCancel: Handler = () => {
    if (held.current) onHold(held.current.before);
    letGo();
  };
  return { isHeld, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}
