"use client";

import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from "react";
import { whenIdle } from "@/components/ui/idle";

/**
 * Schedules the rendering of charts by recharts: one after the other, with other work in between.
 * Until then the server's picture shows the same content.
 */

/** The maximum time that a chart delays the next one, for example when it has no size. */
const patienceMs = 2000;

const atMost = (done: Promise<void>) =>
  Promise.race([done, new Promise<void>((resolve) => setTimeout(resolve, patienceMs))]);

/** A promise with its resolve function. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const charts = new Set<() => Promise<void>>();

/** Draws every chart of the page now, for example to save them as a picture. */
export const drawAll = async (): Promise<void> => {
  await Promise.all([...charts].map((draw) => draw()));
};

/**
 * A chart's first turn: it comes when the chart is on the screen and the page idle, or at once by `hurry`.
 * `load` fetches the code, `onDrawn` ends the turn.
 */
export function useTurn(frame: RefObject<HTMLElement | null>, load: () => Promise<void>) {
  const [isDue, setDue] = useState(false);
  const [drawn] = useState(createGate);
  const hurry = useCallback(async () => {
    await load();
    startTransition(() => setDue(true));
    await atMost(drawn.opened);
  }, [load, drawn]);
  useEffect(() => {
    if (!frame.current) return;
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      whenIdle(hurry);
    });
    seen.observe(frame.current);
    charts.add(hurry);
    return () => {
      seen.disconnect();
      charts.delete(hurry);
      drawn.open();
    };
  }, [frame, hurry, drawn]);
  return { isDue, hurry, onDrawn: drawn.open };
}

let line: Promise<unknown> = Promise.resolve();

/** A value that follows the given one in turn, so that charts with new numbers do not render all at once. */
export function useInTurn<Value>(given: Value): Value {
  const [shown, setShown] = useState(given);
  const drawn = useRef<() => void>(undefined);
  useEffect(() => {
    if (shown === given) {
      drawn.current?.();
      return;
    }
    let isOver = false;
    const draw = () =>
      new Promise<void>((resolve) => {
        if (isOver) return resolve();
        drawn.current = resolve;
        startTransition(() => setShown(given));
      });
    // Lets the browser paint and handle input between two charts.
    const rest = () => new Promise<void>((resolve) => setTimeout(resolve));
    line = line.then(() => atMost(draw())).then(rest);
    return () => {
      isOver = true;
    };
  }, [given, shown]);
  return shown;
}
