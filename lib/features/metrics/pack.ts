import { takeTurns } from "@/lib/protocol/take-turns";
import { bucketIn, type Cell, cube, encodePlace, slotOf } from "./call-labels";
import { hourMs, minuteMs, type RetentionTier, retentionTiers } from "./grains";
import type { Range, Written } from "./partitions";
import { type Series, withSeries } from "./series";

/** One row: calls by slot, and by place (slot and latency bucket, see call-labels.ts). Most rows of a batch have few. */
interface Slots {
  counts: Map<number, number>;
  latency: Map<number, number>;
}

export interface Row extends Slots {
  series: Series;
  at: number;
}

/** Combinations that are not compacted yet: arrays of the same length, where each index is one count of calls. */
export interface PendingEntries {
  seriesIds: string[];
  /** Since the epoch. */
  minutes: number[];
  /** Latency buckets; -1 for the entry with the count of all calls. */
  buckets: number[];
  calls: number[];
}

/** The rows that a batch adds to the database. */
export interface Packed {
  series: Set<Series>;
  pending: PendingEntries;
  rows: Map<RetentionTier, Row[]>;
}

/** Tables with marginal series, which are written immediately. */
export const marginalTiers = retentionTiers.filter(({ holds }) => holds(cube + 1));

const newSlots = (): Slots => ({ counts: new Map(), latency: new Map() });

function addTo(into: Map<number, number>, place: number, calls: number): void {
  into.set(place, (into.get(place) ?? 0) + calls);
}

type Hours = Map<number, Map<Series, Slots>>;

function addToPending(pending: PendingEntries, id: string, { at, count, latency }: Cell): void {
  const add = (bucket: number, calls: number) => {
    pending.seriesIds.push(id);
    pending.minutes.push(at / minuteMs);
    pending.buckets.push(bucket);
    pending.calls.push(calls);
  };
  if (count > 0) add(-1, count);
  for (const [bucket, calls] of latency ?? []) add(bucket, calls);
}

function addToHours(hours: Hours, series: readonly Series[], { at, count, latency }: Cell): void {
  const hour = Math.floor(at / hourMs) * hourMs;
  const slot = (at - hour) / minuteMs;
  const rows = hours.get(hour) ?? new Map<Series, Slots>();
  if (rows.size === 0) hours.set(hour, rows);
  for (const one of series) {
    let into = rows.get(one);
    if (!into) {
      into = newSlots();
      rows.set(one, into);
    }
    addTo(into.counts, slot, count);
    if (latency)
      for (const [bucket, calls] of latency) addTo(into.latency, encodePlace(slot, bucket), calls);
  }
}

/** Adds an hour of minutes into a row of another grain: `offset` is the position of the hour's start in that row. */
function addHour(into: Slots, { counts, latency }: Slots, offset: number, perSlot: number): void {
  for (const [minute, count] of counts)
    addTo(into.counts, offset + Math.floor(minute / perSlot), count);
  for (const [place, calls] of latency) {
    const slot = offset + Math.floor(slotOf(place) / perSlot);
    addTo(into.latency, encodePlace(slot, bucketIn(place)), calls);
  }
}

const isWithin = (ranges: readonly Range[], at: number) =>
  ranges.some(([from, to]) => at >= from && at < to);

/** The rows of one table. Omits calls without a partition in this table; other tables may have one. */
async function rowsOf(
  hours: Hours,
  { grain, holds }: RetentionTier,
  ranges: readonly Range[],
): Promise<Row[]> {
  const turn = takeTurns();
  const found = new Map<string, Row>();
  const perSlot = grain.slotMs / minuteMs;
  for (const [hour, parts] of hours) {
    if (!isWithin(ranges, hour)) continue;
    const at = grain.rowStart(hour);
    const offset = Math.floor((hour - at) / grain.slotMs);
    for (const [series, part] of parts) {
      await turn();
      if (!holds(series.shape)) continue;
      const key = `${series.id} ${at}`;
      const row = found.get(key) ?? { series, at, ...newSlots() };
      found.set(key, row);
      addHour(row, part, offset, perSlot);
    }
  }
  return [...found.values()];
}

/** Converts cells to database rows; `isWhole`: combinations become rows too, so that nothing is left to the compaction. */
export function pack(
  cells: Iterable<Cell>,
  written: Written,
  { isWhole = false } = {},
): Promise<Packed> {
  return withSeries(async (seriesOf) => {
    const turn = takeTurns();
    const series = new Set<Series>();
    const pending: PendingEntries = { seriesIds: [], minutes: [], buckets: [], calls: [] };
    const hours: Hours = new Map();
    for (const cell of cells) {
      await turn();
      const { cubeSeries, marginalSeries } = seriesOf(cell.values);
      series.add(cubeSeries);
      if (!isWhole) addToPending(pending, cubeSeries.id, cell);
      addToHours(hours, isWhole ? [cubeSeries, ...marginalSeries] : marginalSeries, cell);
    }
    for (const rows of hours.values()) for (const one of rows.keys()) series.add(one);
    const rows = new Map<RetentionTier, Row[]>();
    for (const tier of isWhole ? retentionTiers : marginalTiers)
      rows.set(tier, await rowsOf(hours, tier, written.get(tier) ?? []));
    return { series, pending, rows };
  });
}
