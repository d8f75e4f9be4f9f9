import { type Cell, cube } from "./call-labels";
import { grains, hourMs, minuteMs, type RetentionTier, retentionTiers } from "./grains";
import { bucketIn, encodePlace, slotOf } from "./histogram";
import type { Range, Written } from "./partitions";
import { type Series, withSeries } from "./series";
import { takeTurns } from "./take-turns";

/** The slots of one row: counts, and calls by place (slot and latency bucket, see histogram.ts). */
interface Slots {
  counts: Float64Array;
  latency: Map<number, number>;
}

export interface Row extends Slots {
  series: Series;
  at: number;
}

/** Combinations that the compactor has not packed yet: lists of the same length, one index for one number of calls. */
export interface PendingEntries {
  seriesIds: string[];
  /** Since the epoch. */
  minutes: number[];
  /** Of latency; -1 where all calls are counted. */
  buckets: number[];
  calls: number[];
}

/** What a batch adds to the store. */
export interface Packed {
  series: Set<Series>;
  pending: PendingEntries;
  rows: Map<RetentionTier, Row[]>;
}

/** Tables that hold marginal series: written at once. */
export const marginalTiers = retentionTiers.filter(({ holds }) => holds(cube + 1));

const newSlots = (slots: number): Slots => ({
  counts: new Float64Array(slots),
  latency: new Map(),
});

function addTo(latency: Map<number, number>, place: number, calls: number): void {
  latency.set(place, (latency.get(place) ?? 0) + calls);
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
      into = newSlots(grains.minute.slots);
      rows.set(one, into);
    }
    into.counts[slot] = (into.counts[slot] ?? 0) + count;
    if (latency)
      for (const [bucket, calls] of latency) addTo(into.latency, encodePlace(slot, bucket), calls);
  }
}

/** Adds an hour of minutes into a row of another grain: `offset` is where the hour begins in it. */
function addHour(into: Slots, { counts, latency }: Slots, offset: number, perSlot: number): void {
  for (let minute = 0; minute < counts.length; minute += 1) {
    const count = counts[minute] ?? 0;
    if (count === 0) continue;
    const slot = offset + Math.floor(minute / perSlot);
    into.counts[slot] = (into.counts[slot] ?? 0) + count;
  }
  for (const [place, calls] of latency) {
    const slot = offset + Math.floor(slotOf(place) / perSlot);
    addTo(into.latency, encodePlace(slot, bucketIn(place)), calls);
  }
}

const isWithin = (ranges: readonly Range[], at: number) =>
  ranges.some(([from, to]) => at >= from && at < to);

/** The rows of one table. What it has no partition for is left out of this table only. */
async function rowsOf(
  hours: Hours,
  { grain }: RetentionTier,
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
      const key = `${series.id} ${at}`;
      const row = found.get(key) ?? { series, at, ...newSlots(grain.slots) };
      found.set(key, row);
      addHour(row, part, offset, perSlot);
    }
  }
  return [...found.values()];
}

/** Turns cells into what the store takes. */
export function pack(cells: Iterable<Cell>, written: Written): Promise<Packed> {
  return withSeries(async (seriesOf) => {
    const turn = takeTurns();
    const series = new Set<Series>();
    const pending: PendingEntries = { seriesIds: [], minutes: [], buckets: [], calls: [] };
    const hours: Hours = new Map();
    for (const cell of cells) {
      await turn();
      const { cubeSeries, marginalSeries } = seriesOf(cell.values);
      series.add(cubeSeries);
      addToPending(pending, cubeSeries.id, cell);
      addToHours(hours, marginalSeries, cell);
    }
    for (const rows of hours.values()) for (const one of rows.keys()) series.add(one);
    const rows = new Map<RetentionTier, Row[]>();
    for (const tier of marginalTiers)
      rows.set(tier, await rowsOf(hours, tier, written.get(tier) ?? []));
    return { series, pending, rows };
  });
}
