"use client";

import { type PointerEvent, type RefObject, useState } from "react";
import type { Cursor } from "./cursor";
import { indexAt } from "./scale";

/** What a pointer moves along. */
export interface PointerProps {
  /** Names the chart among those that share a cursor. */
  id: string;
  count: number;
  isBand: boolean;
  cursor: Cursor;
  onZoom: ((from: number, to: number) => void) | undefined;
  onOpen: ((index: number) => void) | undefined;
}

interface Drag {
  from: number;
  to: number;
}

const gap = 14;

/** Places the tooltip next to the pointer without React: on the side where there is more room. */
function follow(tooltip: HTMLElement | null, x: number, y: number, width: number): void {
  if (!tooltip) return;
  const isRight = x > width / 2;
  tooltip.style.transform = `translate(${isRight ? x - gap : x + gap}px, ${y}px) translate(${isRight ? "-100%" : "0"}, -50%)`;
}

type Handler = (event: PointerEvent<HTMLDivElement>) => void;

/** The pointer moves the cursor; dragging chooses a range, a click opens the point. */
export function useChartPointer(
  { id, count, isBand, cursor, onZoom, onOpen }: PointerProps,
  tooltip: RefObject<HTMLDivElement | null>,
) {
  const [drag, setDrag] = useState<Drag>();
  const indexOf = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - left;
    follow(tooltip.current, x, event.clientY - top, width);
    return indexAt(x / width, count, isBand);
  };
  const onPointerMove: Handler = (event) => {
    const index = indexOf(event);
    cursor.set({ index, chart: id });
    if (drag && index !== drag.to) setDrag({ ...drag, to: index });
  };
  const onPointerDown: Handler = (event) => {
    if (event.button !== 0) return;
    const index = indexOf(event);
    if (event.pointerType === "mouse" && onZoom) setDrag({ from: index, to: index });
    cursor.set({ index, chart: id });
  };
  // The last move may not be rendered yet: where the pointer is now is what counts.
  const onPointerUp: Handler = (event) => {
    const index = indexOf(event);
    const from = drag?.from ?? index;
    setDrag(undefined);
    if (event.button !== 0) return;
    if (from === index) onOpen?.(index);
    else onZoom?.(Math.min(from, index), Math.max(from, index));
  };
  const onPointerLeave: Handler = () => {
    setDrag(undefined);
    if (!cursor.get()?.isByKey) cursor.set(undefined);
  };
  const chosen =
    drag && drag.from !== drag.to
      ? { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) }
      : undefined;
  return { drag: chosen, handlers: { onPointerMove, onPointerDown, onPointerUp, onPointerLeave } };
}
