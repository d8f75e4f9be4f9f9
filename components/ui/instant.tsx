"use client";

import { createContext, use, useDeferredValue, useMemo, useSyncExternalStore } from "react";
import { day, dayAndTime, relative, zoneName } from "./instant-words";

interface InstantProps {
  at: string;
  /** `short`: relative, with the rest at hand. `full`: local time, zone, UTC and relative, where a decision hangs on it. */
  form?: "short" | "full" | "day";
}

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function look(): void {
  now = Date.now();
  for (const changed of listeners) changed();
}

/** One timer for all that the page shows. */
function everyHalfMinute(changed: () => void): () => void {
  if (!timer) now = Date.now();
  timer ??= setInterval(look, 30_000);
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** How instants are written, where the reader has chosen it. */
export const InstantChoices = createContext<{
  timeZone?: string | undefined;
  locale?: string | undefined;
}>({});

interface Written {
  words: string;
  title: string | undefined;
}

function write(
  { at, form = "short" }: InstantProps,
  { timeZone, locale }: { timeZone?: string | undefined; locale?: string | undefined },
  time: number | undefined,
): Written {
  const instant = new Date(at);
  const utc = `${dayAndTime(instant, "UTC", locale)} UTC`;
  const local =
    time === undefined && !timeZone
      ? utc
      : `${dayAndTime(instant, timeZone, locale)} ${zoneName(timeZone)}`;
  const both = local === utc ? utc : `${local} = ${utc}`;
  const fromNow =
    time === undefined ? undefined : relative(instant, new Date(Math.max(time, now)), locale);
  const all = fromNow === undefined ? both : `${both}, ${fromNow}`;
  const words = { full: all, day: day(instant, timeZone, locale), short: fromNow ?? local }[form];
  return { words, title: fromNow && all };
}

/**
 * An instant in words. Without a chosen zone the server writes UTC, and the browser adds the reader's own. A page may show hundreds: what
 * they say as the time passes, and first when the page comes alive, gives way to what a person does.
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
