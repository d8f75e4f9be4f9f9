"use client";

import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { t } from "@/components/texts/t";
import { createPart } from "@/components/ui/part";
import { type ColumnWidths, narrowest, widest } from "./widths";

export const WidthsContext = createContext<ColumnWidths | undefined>(undefined);

const moving = createPart(() => import("./move-width"));

/** The width of a handle's column, resized or not; undefined until it has been rendered. */
function useColumnWidth(handle: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    const head = handle.current?.closest("th");
    if (!head) return;
    const sizes = new ResizeObserver(() => setWidth(head.offsetWidth));
    sizes.observe(head);
    return () => sizes.disconnect();
  }, [handle]);
  return width;
}

/** Handles the pointer, which may move and be released before the code that follows it has loaded. */
function useDrag(widths: ColumnWidths | undefined) {
  const pointerX = useRef(0);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !widths) return;
    const { currentTarget, pointerId, clientX } = event;
    currentTarget.setPointerCapture(pointerId);
    pointerX.current = clientX;
    void moving.arrival().then(({ drag }) => {
      const moved = pointerX.current - clientX;
      drag(currentTarget, { pointerId, clientX, moved }, widths);
    });
  };
  const onPointerMove = ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) pointerX.current = clientX;
  };
  return { onPointerDown, onPointerMove };
}

/**
 * Between the head of a column and the next: drags, or moves by the arrow keys. The last column takes the rest and has no handle.
 * A handle has a name only while it is in use: the name would become part of the heading, which is read with every cell.
 */
export function WidthHandle({ id, name }: { id: string; name: string }) {
  const widths = use(WidthsContext);
  const handle = useRef<HTMLHRElement>(null);
  const width = useColumnWidth(handle);
  const drag = useDrag(widths);
  const [isNamed, setNamed] = useState(false);
  if (!widths) return null;
  const getReady = () => {
    setNamed(true);
    void moving.load();
  };
  const rest = () => setNamed(document.activeElement === handle.current);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!/^(Arrow(Left|Right)|Home|End|Enter)$/.test(event.key)) return;
    event.preventDefault();
    const { currentTarget, key, shiftKey } = event;
    void moving.arrival().then(({ press }) => press(currentTarget, { key, shiftKey }, widths));
  };
  return (
    <hr
      ref={handle}
      tabIndex={0}
      data-column={id}
      aria-orientation="vertical"
      aria-label={isNamed ? t("Width of {column}", { column: name }) : undefined}
      aria-valuenow={width ?? widths.chosen[id]}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      title={isNamed ? t("Drag to change the width, double-click to fit") : undefined}
      className="absolute inset-y-0 end-0 z-1 m-0 h-auto w-2.5 cursor-col-resize touch-none border-0 after:absolute after:inset-y-2.5 after:end-0 after:border-e after:border-border-strong/50 hover:after:inset-y-0 hover:after:border-e-2 hover:after:border-accent focus-visible:-outline-offset-2 pointer-coarse:w-6 max-sm:hidden print:hidden"
      onPointerEnter={getReady}
      onFocus={getReady}
      onPointerLeave={rest}
      onBlur={rest}
      {...drag}
      onDoubleClick={({ currentTarget }) =>
        void moving.arrival().then(({ press }) => press(currentTarget, { key: "Enter" }, widths))
      }
      onKeyDown={onKeyDown}
    />
  );
}
