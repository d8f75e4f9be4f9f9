"use client";

import { createContext, use, useDeferredValue, useMemo, useSyncExternalStore } from "react";
import { serverNow } from "./clock";
import { day, dayAndTime, relative, zoneName } from "./instant-words";

interface InstantProps {
  at: string;
  /** `short`: relative, full in the tooltip. `full`: local time, zone, UTC and relative, for instants that decisions depend on. */
  form?: "short" | "full" | "day";
}

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function look(): void {
  now = serverNow();
  for (const changed of listeners) changed();
}

/** One timer for all that the page shows. */
function everyHalfMinute(changed: () => void): () => void {
  if (!timer) now = serverNow();
  timer ??= setInterval(look, 30_000);
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface Choices {
  timeZone?: string | undefined;
  locale?: string | undefined;
  /** The time and zone that the server rendered with, so that hydration shows the same text. */
  first?: { now: number; zone: string | undefined };
}

/** The reader's choices for the formatting of instants. */
export const InstantChoices = createContext<Choices>({});

interface Written {
  words: string;
  title: string | undefined;
}

function write({ at, form = "short" }: InstantProps, choices: Choices, time?: number): Written {
  const { timeZone, locale, first } = choices;
  const instant = new Date(at);
  const isFirst = time === undefined;
  const zone = timeZone ?? (isFirst ? (first?.zone ?? "UTC") : undefined);
  const utc = `${dayAndTime(instant, "UTC", locale)} UTC`;
  const local = `${dayAndTime(instant, zone, locale)} ${zoneName(zone)}`;
  const both = local === utc ? utc : `${local} = ${utc}`;
  const passed = isFirst ? first?.now : Math.max(time, now);
  const fromNow =
    passed === undefined ? undefined : relative(instant, new Date(passed), choices.locale);
  const all = fromNow === undefined ? both : `${both}, ${fromNow}`;
  const words = { full: all, day: day(instant, timeZone, locale), short: fromNow ?? local }[form];
  return { words, title: fromNow && all };
}

/**
 * An instant in words. The server renders the same text as the browser, or UTC when it does not know the reader's zone. A
 * page may show hundreds, so their updates, including the first one after hydration, have a lower priority than input.
 */
export function Instant({ at, form }: InstantProps) {
  const choices = use(InstantChoices);
  const passing = useSyncExternalStore<number | undefined>(
    everyHalfMinute,
    () => now,
    () => undefined,
  );
  const time = useDeferredValue(passing);
  const { words, title } = useMemo(
    () => write(form ? { at, form } : { at }, choices, time),
    [at, form, choices, time],
  );
  // Server and browser may format a date of some languages differently.
  return (
    <time dateTime={at} title={title} className="figures" suppressHydrationWarning>
      {words}
    </time>
  );
}
