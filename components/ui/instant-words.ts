import { reader, t } from "@/components/texts/t";
import { isNamedTimeZone } from "@/lib/protocol/time-zones";

const minute = 60_000;
const steps: [number, Intl.RelativeTimeFormatUnit][] = [
  [60 * minute, "minute"],
  [24 * 60 * minute, "hour"],
  [100 * 24 * 60 * minute, "day"],
  [730 * 24 * 60 * minute, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];
const lengths: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = {
  minute,
  hour: 60 * minute,
  day: 24 * 60 * minute,
  month: 30.44 * 24 * 60 * minute,
  year: 365.25 * 24 * 60 * minute,
};

const cache = new Map<string, unknown>();

/** Creating a format takes a hundred times as long as using it, and a table has several in each row. */
function cached<Value>(key: string, create: () => Value): Value {
  const value = (cache.get(key) as Value | undefined) ?? create();
  cache.set(key, value);
  return value;
}

const formatOf = (locale: string, options: Intl.DateTimeFormatOptions) =>
  cached(`${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

/** "in 12 days", "4 minutes ago", "just now" (also for clocks that run up to 10 s ahead of this one). */
export function relative(at: Date, now: Date, locale = reader().locale): string {
  const distance = at.getTime() - now.getTime();
  if (Math.abs(distance) < 45_000) return distance < 10_000 ? t("just now") : t("in a moment");
  const unit = steps.find(([limit]) => Math.abs(distance) < limit)?.[1] ?? "year";
  const count = distance / (lengths[unit] ?? minute);
  const rounded = Math.sign(count) * Math.max(1, Math.round(Math.abs(count)));
  return cached(locale, () => new Intl.RelativeTimeFormat(locale, { numeric: "always" })).format(
    rounded,
    unit,
  );
}

/** "2 Dec 2026, 15:00". The zone defaults to the reader's. */
export function dayAndTime(at: Date, zone?: string, locale = reader().dates): string {
  const minutes = {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  return formatOf(locale, zone ? { ...minutes, timeZone: zone } : minutes).format(at);
}

/** "15:00". The zone defaults to the reader's. */
export function timeOfDay(at: Date, zone?: string, locale = reader().dates): string {
  const minutes = { hour: "2-digit", minute: "2-digit" } as const;
  return formatOf(locale, zone ? { ...minutes, timeZone: zone } : minutes).format(at);
}

/** "2 Dec 2026", in UTC unless a zone is given. */
export function day(at: Date, zone = "UTC", locale = reader().dates): string {
  return formatOf(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: zone,
  }).format(at);
}

/** The zone of the browser; UTC when it reports one that it does not support, such as Etc/Unknown. */
export const browserZone = (): string =>
  cached("zone", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return isNamedTimeZone(timeZone) ? timeZone : "UTC";
  });

/** An instant as the value of a datetime-local input: in the reader's zone, to the minute. */
export const localInput = (instant: Date): string =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The instant of the value of such an input; undefined when it is invalid. */
export function localInstant(text: string): Date | undefined {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** A zone in short, by default the reader's own: "Berlin", "UTC". */
export function zoneName(zone = browserZone()): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}
