"use client";

import { createContext, use, useSyncExternalStore } from "react";
import { day, dayAndTime, relative, zoneName } from "./instant-words";

interface InstantProps {
  at: string;
  /** `short`: relative, with the rest at hand. `full`: local time, zone, UTC and relative, where a decision hangs on it. */
  form?: "short" | "full" | "day";
}

let now = Date.now();

function everyHalfMinute(changed: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    changed();
  }, 30_000);
  return () => clearInterval(timer);
}

/** How instants are written, where the reader has chosen it. */
export const InstantChoices = createContext<{
  timeZone?: string | undefined;
  locale?: string | undefined;
}>({});

/** An instant in words. Without a chosen zone the server writes UTC, and the browser adds the reader's own. */
export function Instant({ at, form = "short" }: InstantProps) {
  const { timeZone, locale } = use(InstantChoices);
  const time = useSyncExternalStore<number | undefined>(
    everyHalfMinute,
    () => now,
    () => undefined,
  );
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
  // The server may write a date of some language a little differently than the browser does.
  return (
    <time dateTime={at} title={fromNow && all} className="figures" suppressHydrationWarning>
      {words}
    </time>
  );
}
