"use client";

import {
  memo,
  type PointerEvent,
  type RefObject,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { t } from "@/components/texts/t";
import type { Cursor, CursorPlace } from "./cursor";
import { indexAt, shareOf } from "./scale";
import { MarkerSign } from "./signs";
import { ChartTooltip, type Point, spokenPoint } from "./tooltip";

/** The parts of the chart that follow the pointer. */
interface PointerProps {
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
function useChartPointer(
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
  // The last move may not be rendered yet, so the current position is used.
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

/** A range of bucket indexes; a label explains a part without values. */
export interface Span {
  from: number;
  to: number;
  label?: string;
}

interface OverlayProps extends PointerProps {
  label: string;
  pointOf: (index: number) => Point;
  /** Indexes of buckets with markers. */
  markers: number[];
  spans: Span[];
}

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** The side of the tooltip of a point reached by keys: the one with more room. */
const sideOf = (share: number) => (share > 0.5 ? "-100%" : "0%");

/**
 * The layer over a chart: crosshair, tooltip, markers, the dragged range, and a slider for the
 * keyboard. Each part reads only its part of the cursor, so that a move of the pointer renders no more.
 */
export function ChartOverlay(props: OverlayProps) {
  const tooltip = useRef<HTMLDivElement>(null);
  const { drag, handlers } = useChartPointer(props, tooltip);
  return (
    <div
      className="group/plot absolute inset-0 cursor-crosshair touch-pan-y select-none"
      {...handlers}
    >
      {props.spans.map((span) => (
        <Band
          key={`${span.from} ${span.to} ${span.label}`}
          {...{ ...props, ...span, words: span.label }}
          className={span.label ? "bg-subtle" : "bg-accent/12"}
        />
      ))}
      <Markers {...props} />
      <Crosshair {...props} />
      {drag ? <Band {...props} {...drag} className="bg-accent/15" /> : null}
      <PointSlider {...props} />
      <TooltipOfChart {...props} frame={tooltip} isHidden={drag !== undefined} />
    </div>
  );
}

/** The value that a part of the overlay reads from the cursor; the part renders again only when it changes. */
const useCursor = <Value,>(cursor: Cursor, read: (place: CursorPlace | undefined) => Value) =>
  useSyncExternalStore(
    cursor.subscribe,
    () => read(cursor.get()),
    () => undefined,
  );

const Markers = memo(({ count, isBand, markers }: OverlayProps) =>
  markers.map((index) => (
    <span
      key={index}
      className="pointer-events-none absolute inset-y-0 border-l border-dashed border-accent/60"
      style={{ left: percent(shareOf(index, count, isBand)) }}
    >
      <MarkerSign className="absolute top-0 -left-[4.5px]" />
    </span>
  )),
);

/** As wide as the chart and moved by a transform, which causes no layout. */
const Crosshair = memo(({ count, isBand, cursor }: OverlayProps) => {
  const index = useCursor(cursor, (place) => place?.index);
  if (index === undefined || index >= count) return null;
  return (
    <span className="pointer-events-none absolute inset-y-0 -right-px left-0 overflow-hidden">
      <span
        data-crosshair=""
        className="absolute inset-0 border-l border-border-strong will-change-transform"
        style={{ transform: `translateX(${percent(shareOf(index, count, isBand))})` }}
      />
    </span>
  );
});

interface BandProps extends OverlayProps {
  from: number;
  to: number;
  className: string;
  words?: string | undefined;
}

/** A range of the chart: the dragged one, or one of the spans. */
function Band({ count, isBand, from, to, className, words }: BandProps) {
  const [left, right] = [shareOf(from, count, isBand), shareOf(to, count, isBand)];
  return (
    <span
      className={`pointer-events-none absolute inset-y-0 ${className}`}
      style={{ left: percent(left), width: percent(right - left) }}
    >
      {words ? (
        <span className="absolute inset-x-0 top-1 truncate px-2 text-end text-meta text-muted">
          {words}
        </span>
      ) : null}
    </span>
  );
}

interface TooltipProps extends OverlayProps {
  /** The element that the pointer moves, without React. */
  frame: RefObject<HTMLDivElement | null>;
  isHidden: boolean;
}

function TooltipOfChart({ id, count, isBand, cursor, pointOf, frame, isHidden }: TooltipProps) {
  const place = useCursor(cursor, (at) => (at?.chart === id && at.index < count ? at : undefined));
  const share = place?.isByKey ? shareOf(place.index, count, isBand) : undefined;
  return (
    <div
      ref={frame}
      className="pointer-events-none absolute top-0 left-0 z-20 will-change-transform"
      style={
        share === undefined
          ? undefined
          : { left: percent(share), transform: `translateX(${sideOf(share)})` }
      }
    >
      {place && !isHidden ? <ChartTooltip point={pointOf(place.index)} /> : null}
    </div>
  );
}

/** Keys move along the points; each is spoken. Enter opens the details of the point. */
const PointSlider = memo(({ id, label, count, cursor, pointOf, onOpen }: OverlayProps) => {
  const [held, setHeld] = useState(count - 1);
  const shown = useCursor(cursor, (place) => (place?.isByKey ? place.index : undefined));
  const index = Math.min(shown ?? held, count - 1);
  const moveTo = (to: number) => {
    setHeld(to);
    cursor.set({ index: to, chart: id, isByKey: true });
  };
  return (
    <input
      type="range"
      min={0}
      max={count - 1}
      value={index}
      aria-label={t("Points of {label}", { label })}
      aria-valuetext={spokenPoint(pointOf(index))}
      onChange={(event) => moveTo(Number(event.target.value))}
      onFocus={() => moveTo(Math.min(held, count - 1))}
      onBlur={() => cursor.set(undefined)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !onOpen) return;
        event.preventDefault();
        onOpen(index);
      }}
      className="pointer-events-none absolute inset-0 h-full w-full appearance-none rounded-control bg-transparent opacity-0 focus-visible:opacity-100 [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
    />
  );
});
