"use client";

import { useCallback, useEffect, useMemo, useRef } from "react";
import { isForPage } from "@/components/ui/page-keys";
import type { Range } from "./range";
import { wholeOf, type Zoom, zoomReset, zoomTo } from "./zoom";

/** What zooms the charts, and leads back. */
export interface Zooming {
  /** Shows a part of the range that is on screen. */
  zoom: (shown: Range, chosen: Range) => void;
  /** Shows another part of the range around the zoom. */
  move: (chosen: Range) => void;
  /** Shows what was there before the first zoom. */
  reset: () => void;
}

type SetState = (
  change: (state: Zoom) => Zoom,
  options: { history: "push" | "replace" },
) => Promise<unknown>;

/** Zooms by the address, each a step of the history: Esc goes back by one, also out of a zoom that was opened as a link. */
export function useZooming(isZoomed: boolean, setState: SetState): Zooming {
  /** Zooms of this visit, which going back undoes. */
  const steps = useRef(0);
  const zoom = useCallback(
    (shown: Range, chosen: Range) => {
      steps.current += 1;
      void setState((state) => zoomTo(state, shown, chosen), { history: "push" });
    },
    [setState],
  );
  const move = useCallback(
    (chosen: Range) =>
      void setState((state) => (wholeOf(state) ? zoomTo(state, chosen, chosen) : state), {
        history: "replace",
      }),
    [setState],
  );
  const reset = useCallback(() => {
    steps.current = 0;
    void setState(zoomReset, { history: "push" });
  }, [setState]);
  useEffect(() => {
    if (!isZoomed) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isForPage(event)) return;
      if (steps.current === 0) reset();
      else {
        steps.current -= 1;
        history.back();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isZoomed, reset]);
  return useMemo(() => ({ zoom, move, reset }), [zoom, move, reset]);
}
