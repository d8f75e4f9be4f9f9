"use client";

import { useSyncExternalStore } from "react";
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

/** An instant in words. The server writes UTC; the browser adds the reader's own zone. */
export function Instant({ at, form = "short" }: InstantProps) {
  const time = useSyncExternalStore<number | undefined>(
    everyHalfMinute,
    () => now,
    () => undefined,
  );
  const instant = new Date(at);
  const utc = `${dayAndTime(instant, "UTC")} UTC`;
  if (time === undefined) return <time dateTime={at}>{form === "day" ? day(instant) : utc}</time>;
  const fromNow = relative(instant, new Date(Math.max(time, now)));
  const local = `${dayAndTime(instant)} ${zoneName()}`;
  const all = `${local === utc ? utc : `${local} = ${utc}`}, ${fromNow}`;
  return (
    <time dateTime={at} title={all} className="figures">
      {form === "full" ? all : form === "day" ? day(instant) : fromNow}
    </time>
  );
}
