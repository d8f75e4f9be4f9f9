import { createHash } from "node:crypto";
import { type Cell, shapes, valuesIn } from "./dimensions";
import { type Grain, grains, hourMs, type Keep, keeps, writtenSince } from "./grains";

/** The slots of one row: counts, and calls by slot * 256 + latency bucket. */
export interface Slots {
  counts: Float64Array;
  latency: Map<number, number>;
}

export interface Series {
  id: string;
  shape: number;
  values: string[];
}

export interface Row extends Slots {
  series: Series;
  at: number;
}

/** What a batch adds to the store. */
export interface Packed {
  series: Series[];
  rows: Map<Keep, Row[]>;
}

const newSlots = (slots: number): Slots => ({ counts: new Float64Array(slots), latency: new Map() });

/** 64 bits of a hash: every process gives a series the same id without asking. */
function seriesId(shape: number, values: string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([shape, values]))
    .digest()
    .readBigInt64BE()
    .toString();
}

interface Combination {
  values: readonly string[];
  hours: Map<number, Slots>;
}

/** Cells by combination and hour: what follows costs by the hour, not by the cell. */
function gather(cells: Iterable<Cell>): Combination[] {
  const found = new Map<string, Combination>();
  const { slots, slotMs } = grains.minute;
  for (const { at, values, count, latency } of cells) {
    const key = values.join("\n");
    const combination = found.get(key) ?? { values, hours: new Map<number, Slots>() };
    found.set(key, combination);
    const hour = Math.floor(at / hourMs) * hourMs;
    const into = combination.hours.get(hour) ?? newSlots(slots);
    combination.hours.set(hour, into);
    const slot = (at - hour) / slotMs;
    into.counts[slot] = (into.counts[slot] ?? 0) + count;
    for (const [bucket, calls] of latency ?? []) addTo(into.latency, slot * 256 + bucket, calls);
  }
  return [...found.values()];
}

function addTo(latency: Map<number, number>, code: number, calls: number): void {
  latency.set(code, (latency.get(code) ?? 0) + calls);
}

/** Adds slots of a finer grain into a row; `offset` is where the finer row begins, `per` how many of its slots make one. */
function addSlots(into: Slots, from: Slots, offset: number, per: number): void {
  const { counts } = from;
  for (let slot = 0; slot < counts.length; slot += 1) {
    const count = counts[slot] ?? 0;
    if (count === 0) continue;
    const to = offset + Math.floor(slot / per);
    into.counts[to] = (into.counts[to] ?? 0) + count;
  }
  for (const [code, calls] of from.latency) addTo(into.latency, (offset + Math.floor((code >> 8) / per)) * 256 + (code & 255), calls);
}

interface Folded {
  grain: Grain;
  at: number;
  offset: number;
  slots: Slots;
}

/** An hour of minutes as each grain's rows take it. */
function folded(hour: number, minutes: Slots): Map<Grain, Folded> {
  return new Map(
    Object.values(grains).map((grain) => {
      const at = grain.rowStart(hour);
      const per = grain.slotMs / grains.minute.slotMs;
      const slots = newSlots(Math.max(1, 60 / per));
      addSlots(slots, minutes, 0, per);
      return [grain, { grain, at, offset: Math.floor((hour - at) / grain.slotMs), slots }];
    }),
  );
}

/** The series met so far, each object once. */
function seriesBook() {
  const found = new Map<string, Series>();
  return {
    all: () => [...found.values()],
    of(shape: number, all: readonly string[]): Series {
      const values = valuesIn(shape, all);
      const key = `${shape}\n${values.join("\n")}`;
      const series = found.get(key) ?? { id: seriesId(shape, values), shape, values };
      found.set(key, series);
      return series;
    },
  };
}

function addRow(rows: Map<string, Row>, series: Series, slots: number, { at, offset, slots: part }: Folded): void {
  const key = `${series.id} ${at}`;
  const row = rows.get(key) ?? { series, at, ...newSlots(slots) };
  rows.set(key, row);
  addSlots(row, part, offset, 1);
}

/** Turns cells into the rows that every grain and shape gets. Older than a table keeps is left out of that table alone. */
export function pack(cells: Iterable<Cell>, now: number): Packed {
  const book = seriesBook();
  const tables = keeps.map((keep) => ({ keep, since: writtenSince(keep, now), rows: new Map<string, Row>() }));
  for (const { values, hours } of gather(cells)) {
    const series = shapes.map((shape) => book.of(shape, values));
    for (const [hour, minutes] of hours) {
      const byGrain = folded(hour, minutes);
      for (const { keep, since, rows } of tables) {
        const part = byGrain.get(keep.grain);
        if (!part || hour < since) continue;
        for (const one of series) if (keep.holds(one.shape)) addRow(rows, one, keep.grain.slots, part);
      }
    }
  }
  return { series: book.all(), rows: new Map(tables.map(({ keep, rows }) => [keep, [...rows.values()]])) };
}
