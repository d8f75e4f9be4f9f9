"use client";

import { useCallback, useEffect, useMemo, useRef } from "react";
import { isForPage } from "@/components/ui/typed-ahead";
import type { Range } from "./range";
import type { MetricsState } from "./state";

/** The parameters of the address that a zoom changes. */
type Zoom = Pick<MetricsState, "range" | "from" | "to" | "within">;

const textOf = (at: number) => new Date(at).toISOString();
const fixedOf = ({ from, to }: Range) => ({ from: textOf(from), to: textOf(to) });

/** The range on screen before the charts were zoomed; undefined when they are not. */
export function wholeOf({ from, to, within }: Zoom): Range | undefined {
  const [start = Number.NaN, end = Number.NaN] = within.split("/").map((text) => Date.parse(text));
  const shown = { from: Date.parse(from), to: Date.parse(to) };
  const isInside = start <= shown.from && shown.from < shown.to && shown.to <= end;
  return isInside ? { from: start, to: end } : undefined;
}

/**
 * Shows a part of what is on screen. A preset stays in the address next to the instants, so that
 * a reset returns to it; a zoom within a zoom keeps the whole range of the first.
 *
 * @param shown The range that is on screen.
 */
export function zoomTo(state: Zoom, shown: Range, chosen: Range): Zoom {
  const zoomed = wholeOf(state);
  const whole = zoomed ?? shown;
  const isFixed = Date.parse(state.from) < Date.parse(state.to);
  const part = { from: Math.max(whole.from, chosen.from), to: Math.min(whole.to, chosen.to) };
  return {
    range: isFixed && !zoomed ? "" : state.range,
    ...fixedOf(part),
    within: `${textOf(whole.from)}/${textOf(whole.to)}`,
  };
}

/** The state before the first zoom: its preset, relative to now, or its instants. */
export function zoomReset(state: Zoom): Zoom {
  const whole = wholeOf(state);
  if (!whole) return { range: state.range, from: state.from, to: state.to, within: "" };
  const instants = state.range === "" ? fixedOf(whole) : { from: "", to: "" };
  return { range: state.range, ...instants, within: "" };
}

/** The actions that zoom the charts and reset the zoom. */
export interface Zooming {
  /** Shows a part of the range that is on screen. */
  zoom: (shown: Range, chosen: Range) => void;
  /** Shows another part of the range around the zoom. */
  move: (chosen: Range) => void;
  /** Shows the range before the first zoom. */
  reset: () => void;
}

type SetState = (
  change: (state: Zoom) => Zoom,
  options: { history: "push" | "replace" },
) => Promise<unknown>;

/** Zooms by changing the address, each a history entry: Esc goes back by one, also out of a zoom that was opened as a link. */
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
