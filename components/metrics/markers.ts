import { type Message, msg, reader, t } from "@/components/texts/t";
import { noteKind } from "@/lib/features/metrics/values";
import { firstCounted, type Marker, type MetricsData } from "./load";
import { rangeWords } from "./range-words";

/** A marker at its place on the charts. */
export interface PlacedMarker extends Marker {
  /** The place of its bucket. */
  index: number;
  /** The place of the bucket in which it ended; the same as the first for an instant. */
  last: number;
}

/** The markers within the charts, oldest first. */
export function placeMarkers(markers: readonly Marker[], times: readonly number[]): PlacedMarker[] {
  const placeOf = (at: number) => times.findLastIndex((time) => time <= at);
  return markers
    .flatMap((marker) => {
      const index = placeOf(Date.parse(marker.at));
      const last = marker.until === null ? index : placeOf(Date.parse(marker.until) - 1);
      return last < 0 ? [] : [{ ...marker, index: Math.max(0, index), last }];
    })
    .reverse();
}

/** A range of places. */
export interface Span {
  from: number;
  to: number;
}

/** The markers that lasted longer than a bucket, each range once. */
export function spansOf(placed: readonly PlacedMarker[]): Span[] {
  const long = placed.filter(({ index, last }) => last > index);
  return [...new Map(long.map((one) => [`${one.index} ${one.last}`, one])).values()].map(
    ({ index: from, last: to }) => ({ from, to }),
  );
}

/** The part of the charts before the first call was counted, labelled with the reason for its missing values. */
export function uncountedSpans(data: MetricsData, zone: string): (Span & { label: string })[] {
  const first = firstCounted(data);
  const since = data.metadata.countedSince;
  if (first === 0 || since === null) return [];
  const date = { day: "numeric", month: "short", timeZone: zone } as const;
  const day = new Intl.DateTimeFormat(reader().dates, date).format(Date.parse(since));
  const to = Math.min(first, data.counts.times.length - 1);
  return [{ from: 0, to, label: t("Counted since {day}", { day }) }];
}

/** The time of a marker: an instant, or from one to another. */
export function timeWords(
  { at, until }: Pick<Marker, "at" | "until">,
  clock: (at: number) => string,
): string {
  const start = clock(Date.parse(at));
  return until === null ? start : rangeWords(start, clock(Date.parse(until)));
}

/** The author of a note. */
export const authorOf = ({ kind, author }: Marker): string | undefined =>
  kind === noteKind && author ? (author.login ?? author.id) : undefined;

/** The titles of automatic markers, as the service words them. Titles of reported markers are not translated. */
const recorded: Record<string, Message> = {
  "API key created": msg("API key {name} created"),
  "API key rotated": msg("API key {name} rotated"),
  "API key suspended": msg("API key {name} suspended"),
  "API key resumed": msg("API key {name} resumed"),
  "API key revoked": msg("API key {name} revoked"),
  "Preview created": msg("Preview {name} created"),
  "Preview updated": msg("Preview {name} updated"),
  "Preview restored": msg("Preview {name} restored"),
  "Release published": msg("Release {name} published"),
};

/** The title of a marker in the reader's language. */
export function titleOf({ source, title }: Pick<Marker, "source" | "title">): string {
  const [, what, name = "", verb] = /^(API key|Preview|Release) (.+) (\w+)$/s.exec(title) ?? [];
  const words = source === "trail" ? recorded[`${what} ${verb}`] : undefined;
  return words === undefined ? title : t(words, { name });
}

/** The maximum number of markers in a bucket's tooltip. */
const maxNamed = 4;

function sentenceOf(marker: PlacedMarker, clock: (at: number) => string): string {
  const author = authorOf(marker);
  return `${timeWords(marker, clock)} ${titleOf(marker)}${author ? ` (${author})` : ""}`;
}

/** The lines about markers for each bucket in which any started: reported ones first, then automatic ones. */
export function markerWords(placed: readonly PlacedMarker[], clock: (at: number) => string) {
  const words = new Map<number, string[]>();
  const isReported = ({ source }: PlacedMarker) => source === "reported";
  const inOrder = [...placed.filter(isReported), ...placed.filter((one) => !isReported(one))];
  for (const marker of inOrder)
    words.set(marker.index, [...(words.get(marker.index) ?? []), sentenceOf(marker, clock)]);
  for (const [index, all] of words)
    if (all.length > maxNamed)
      words.set(index, [
        ...all.slice(0, maxNamed),
        t("and {count} more", { count: all.length - maxNamed }),
      ]);
  return words;
}
