"use client";

import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ComponentProps, useRef, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { noEnds, plotRoom, smallDrawing } from "@/components/ui/chart/drawing";
import { Plot } from "@/components/ui/chart/plot";
import { type Counts, countsQuery, type MetricsData } from "./load";
import { type CountsQuery, siteOf } from "./metrics-query";
import { useStripPointer } from "./minimap-pointer";
import { bordersOf, type Grip, nearestStop, shareAt, stopsOf, withGripAt } from "./minimap-window";
import { isZoneless, type Range } from "./range";
import { rangeWords } from "./range-words";
import { filtersOf, type MetricsState } from "./state";

/** All calls of each bucket. */
interface Totals {
  /** Milliseconds since the epoch. */
  times: number[];
  values: number[];
}

const totalsOf = ({ times, series }: Counts): Totals => ({
  times: times.map((time) => Date.parse(time)),
  values: times.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  ),
});

/** The totals of the whole range that the cache already has for the same filters. */
function totalsAmong(
  held: [QueryKey, MetricsData | undefined][],
  filters: object,
  whole: Range,
): Totals | undefined {
  const found = held.find(
    ([[, , asked], data]) =>
      data?.range.from === whole.from &&
      data.range.to === whole.to &&
      JSON.stringify(filtersOf(asked as MetricsState)) === JSON.stringify(filters),
  );
  return found?.[1] && totalsOf(found[1].counts);
}

/** The calls of the range around a zoom: those that were on screen before it, otherwise fetched once. */
function useWholeQuery(state: MetricsState, whole: Range) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const filters = filtersOf(state);
  const instants = {
    from: new Date(whole.from).toISOString(),
    to: new Date(whole.to).toISOString(),
  };
  const asked: MetricsState = { ...state, ...instants, range: "", period: "auto", group: [] };
  const zone = isZoneless(asked) ? "UTC" : state.zone;
  return queryOptions({
    queryKey: [view.tenant, "metrics-whole", whole, filters, zone],
    queryFn: async ({ signal }) => {
      const site = siteOf(view.sites, view.permissions);
      const query = countsQuery(asked, whole) as CountsQuery;
      return totalsOf(
        await call("GET /v1/api-metrics/metrics/timeserie-counts", { site, signal, query }),
      );
    },
    initialData: () =>
      totalsAmong(
        queries.getQueriesData<MetricsData>({ queryKey: [view.tenant, "metrics"] }),
        filters,
        whole,
      ),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface MinimapProps {
  state: MetricsState;
  /** The range around the zoom. */
  whole: Range;
  /** An instant in the reader's zone. */
  moment: (at: number) => string;
  onMove: (window: Range) => void;
}

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
const isSame = (a: Range, b: Range) => a.from === b.from && a.to === b.to;

/** The number of stops of the window before the numbers have loaded. */
const parts = 48;
const evenly = ({ from, to }: Range) =>
  Array.from({ length: parts }, (_, index) => from + (index * (to - from)) / parts);

/** The window while it is dragged; a new position stays until the page shows it. */
function useWindow(shown: Range, onMove: (window: Range) => void) {
  const [moved, setMoved] = useState<{ of: Range; window: Range }>();
  const window = moved && isSame(moved.of, shown) ? moved.window : shown;
  return {
    window,
    hold: (next: Range) => setMoved({ of: shown, window: next }),
    done: (next = window) => {
      if (!isSame(next, shown)) onMove(next);
    },
  };
}

/** The whole range under a zoomed chart, and in it what the chart shows: a window that can be moved and resized by pointer and keys. */
export function Minimap({ state, whole, moment, onMove }: MinimapProps) {
  const { data: totals } = useQuery(useWholeQuery(state, whole));
  const shown = { from: Date.parse(state.from), to: Date.parse(state.to) };
  const { window, hold, done } = useWindow(shown, onMove);
  const borders = bordersOf(totals?.times ?? evenly(whole), whole);
  const { isHeld, handlers } = useStripPointer({ borders, window, onHold: hold, onDone: done });
  const words = rangeWords(moment(window.from), moment(window.to));
  const left = shareAt(borders, window.from);
  const grip = { borders, window, onHold: hold, onDone: done };
  return (
    <div
      dir="ltr"
      data-held={isHeld || undefined}
      className="group/strip relative h-8 cursor-pointer touch-pan-y select-none rounded-control bg-subtle"
      style={{ marginLeft: plotRoom.left, marginRight: noEnds }}
      {...handlers}
    >
      {totals ? <Calls totals={totals} borders={borders} /> : null}
      <span
        data-grip="all"
        className="absolute inset-y-0 min-w-0.5 cursor-grab border-x border-accent bg-accent/15 group-data-held/strip:cursor-grabbing has-[>:focus-visible]:outline-2 has-[>:focus-visible]:outline-accent"
        style={{ left: percent(left), width: percent(shareAt(borders, window.to) - left) }}
      >
        <GripSlider {...grip} grip="all" label={t("Zoomed range")} words={words} />
        <Handle {...grip} grip="start" label={t("Start of the zoom")} words={moment(window.from)} />
        <Handle {...grip} grip="end" label={t("End of the zoom")} words={moment(window.to)} />
      </span>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 bottom-full z-20 mb-1 flex justify-center opacity-0 transition-opacity duration-[120ms] group-data-held/strip:opacity-100 group-has-focus-visible/strip:opacity-100"
      >
        <span className="rounded-control bg-bg px-2 py-1 text-center text-meta text-balance shadow-float">
          {words}
        </span>
      </span>
    </div>
  );
}

const height = 32;
const look = { key: "calls", label: "", color: "var(--chart-1)", dash: "0" };

/** The calls of the whole range as one faint layer, each bucket at its time. */
function Calls({ totals: { times, values }, borders }: { totals: Totals; borders: number[] }) {
  const middles = times.map((at, index) => (at + (times[index + 1] ?? borders.at(-1) ?? at)) / 2);
  const at = middles.map((middle) => shareAt(borders, middle));
  const drawing = smallDrawing({
    ...{ kind: "area", height, top: 3, bottom: 1, times, isOpenEnded: false },
    places: { at, from: 0, to: 1 },
    series: [{ ...look, values }],
  });
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 opacity-60">
      <Plot drawing={drawing} />
    </div>
  );
}

interface GripProps {
  grip: Grip;
  borders: number[];
  window: Range;
  label: string;
  /** The text of its value. */
  words: string;
  onHold: (window: Range) => void;
  onDone: (window?: Range) => void;
}

const places = {
  start: "right-full translate-x-1 after:right-0.5",
  end: "left-full -translate-x-1 after:left-0.5",
} as const;

/** A border of the window: a visible bar with a larger grab area outside the window. */
function Handle(props: GripProps & { grip: "start" | "end" }) {
  return (
    <span
      data-grip={props.grip}
      className={`absolute inset-y-0 w-6 cursor-ew-resize rounded-control after:absolute after:inset-y-1.5 after:w-1 after:rounded-full after:bg-accent has-[>:focus-visible]:outline-2 has-[>:focus-visible]:outline-accent ${places[props.grip]}`}
    >
      <GripSlider {...props} />
    </span>
  );
}

/** Keys move a grip from stop to stop; the charts follow on key release, because each stop would fetch all numbers. */
function GripSlider({ grip, borders, window, label, words, onHold, onDone }: GripProps) {
  const isPressed = useRef(false);
  const stops = stopsOf(borders, window, grip);
  const letGo = () => {
    isPressed.current = false;
    onDone();
  };
  const onChange: ComponentProps<"input">["onChange"] = ({ target }) => {
    const next = withGripAt(window, grip, stops[Number(target.value)] ?? window.from);
    onHold(next);
    // A screen reader changes the value without a key.
    if (!isPressed.current) onDone(next);
  };
  return (
    <input
      type="range"
      min={0}
      max={stops.length - 1}
      value={nearestStop(stops, grip === "end" ? window.to : window.from)}
      aria-label={label}
      aria-valuetext={words}
      onChange={onChange}
      onKeyDown={() => {
        isPressed.current = true;
      }}
      onKeyUp={letGo}
      onBlur={letGo}
      className="pointer-events-none absolute inset-y-0 left-1/2 m-0 h-full w-full min-w-6 -translate-x-1/2 appearance-none opacity-0"
    />
  );
}
