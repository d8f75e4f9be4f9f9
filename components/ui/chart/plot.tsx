"use client";

import {
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { whenIdle } from "@/components/ui/idle";
import { createPart } from "@/components/ui/part";
import type { Drawing } from "./drawing";
import { Picture } from "./picture";
import { useInTurn, useTurn } from "./turns";

const recharts = createPart(() => import("./recharts").then((module) => module.Recharts));
whenIdle(recharts.load);

interface PlotProps {
  drawing: Drawing;
  /** The description for screen readers; a chart without one is decorative. */
  label?: string;
  /** The overlay. */
  children?: ReactNode;
}

/** Returns the previous object while the value is equal. */
function useSame<Value>(given: Value): Value {
  const [kept, setKept] = useState(given);
  if (kept === given || JSON.stringify(kept) === JSON.stringify(given)) return kept;
  setKept(given);
  return given;
}

function useWidth(element: RefObject<HTMLElement | null>, isWanted: boolean): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!isWanted || !element.current) return;
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) startTransition(() => setWidth(entry.contentRect.width));
    });
    sizes.observe(element.current);
    return () => sizes.disconnect();
  }, [element, isWanted]);
  return width;
}

/** A chart: the server's picture until recharts has drawn the same, which happens when the page is idle, or on the first interaction. */
export function Plot({ drawing: given, label, children }: PlotProps) {
  const drawing = useSame(given);
  const frame = useRef<HTMLDivElement>(null);
  const { isDue, hurry, onDrawn } = useTurn(frame, recharts.load);
  const width = useWidth(frame, isDue);
  const [isDrawn, setDrawn] = useState(false);
  const Recharts = useSyncExternalStore(recharts.subscribe, recharts.module, () => undefined);
  const onReady = useCallback(() => {
    setDrawn(true);
    onDrawn();
  }, [onDrawn]);
  const now = () => void hurry();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only learns that somebody is near; what they can do is in the overlay
    <div
      ref={frame}
      dir="ltr"
      className="relative @container hover:z-1 focus-within:z-1"
      style={{ height: drawing.height }}
      onPointerEnter={isDue ? undefined : now}
      onFocus={isDue ? undefined : now}
    >
      <div
        {...(label && { role: "img", "aria-label": label })}
        className="absolute inset-0 will-change-transform"
      >
        {isDrawn ? null : <Picture drawing={drawing} />}
        {Recharts && isDue && width > 0 ? (
          <div className={`pointer-events-none absolute inset-0 ${isDrawn ? "" : "invisible"}`}>
            <InTurn drawing={drawing} width={width} onReady={onReady} Recharts={Recharts} />
          </div>
        ) : null}
      </div>
      {children}
    </div>
  );
}

interface InTurnProps {
  drawing: Drawing;
  width: number;
  onReady: () => void;
  Recharts: NonNullable<ReturnType<typeof recharts.module>>;
}

/** Renders new numbers one chart after the other. */
function InTurn({ drawing, Recharts, ...given }: InTurnProps) {
  return <Recharts drawing={useInTurn(drawing)} {...given} />;
}
