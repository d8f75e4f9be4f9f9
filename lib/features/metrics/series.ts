import { hash } from "node:crypto";
import { perProcess } from "@/lib/protocol/per-process";
import {
  cube,
  keptDimensions,
  type LabelValues,
  labelKey,
  labelOf,
  shapes,
  valuesIn,
} from "./call-labels";

/** A counted series: the values that one shape keeps. */
export interface Series {
  id: string;
  shape: number;
  values: LabelValues;
}

/** The series that a call counts for: one with all its values, and one for each shape that keeps fewer. */
interface SeriesOfCell {
  cubeSeries: Series;
  marginalSeries: readonly Series[];
}

const maxRemembered = 20_000;
/** Series without calls are dropped from memory after this time. */
const maxRememberedMs = 180_000;

interface Memory {
  known: Map<string, SeriesOfCell>;
  knownMarginals: Map<string, Series>;
  /** performance.now() */
  since: number;
}

const newMemory = (): Memory => ({
  known: new Map(),
  knownMarginals: new Map(),
  since: performance.now(),
});
const memories = perProcess("metrics-series", () => ({ current: newMemory() }));

/** 64 bits of a hash: every process computes the same id for a series. */
function newSeries(shape: number, values: LabelValues): Series {
  const digest = hash("sha256", JSON.stringify([shape, values]), "hex");
  return { id: BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString(), shape, values };
}

function marginalSeriesOf({ knownMarginals }: Memory, shape: number, all: LabelValues): Series {
  const [first = "domain", second = first] = keptDimensions(shape);
  const key = `${shape}\n${labelOf(all, first)}\n${labelOf(all, second)}`;
  const found = knownMarginals.get(key);
  if (found) return found;
  const created = newSeries(shape, valuesIn(shape, all));
  knownMarginals.set(key, created);
  return created;
}

const marginalShapes = shapes.filter((shape) => shape !== cube);

function remembered(memory: Memory, values: LabelValues): SeriesOfCell {
  const key = labelKey(values);
  const found = memory.known.get(key);
  if (found) return found;
  const created = {
    cubeSeries: newSeries(cube, [...values]),
    marginalSeries: marginalShapes.map((shape) => marginalSeriesOf(memory, shape, values)),
  };
  memory.known.set(key, created);
  return created;
}

/** The series of a cell's values: within one run each series is one object. */
export type SeriesOf = (values: LabelValues) => SeriesOfCell;

/**
 * Runs work during which each series is represented by one object. Runs share a cache until it is too large or too old: then the next run
 * starts a new one, and the old one is freed with the last run that uses it, however runs overlap.
 */
export function withSeries<Result>(work: (seriesOf: SeriesOf) => Promise<Result>): Promise<Result> {
  const { known, since } = memories().current;
  if (known.size >= maxRemembered || performance.now() - since > maxRememberedMs)
    memories().current = newMemory();
  const memory = memories().current;
  return work((values) => remembered(memory, values));
}

/** How long a process assumes that the database still has the series it wrote: a restored database receives them again. */
const trustedMs = 600_000;
const maxStored = 200_000;

interface StoredSeries {
  byTenant: Map<string, Set<string>>;
  count: number;
  since: number;
}

const stored = perProcess(
  "metrics-stored-series",
  (): StoredSeries => ({ byTenant: new Map(), count: 0, since: 0 }),
);

/** Whether this process wrote the series within the last minutes. */
export const isStored = (tenantId: string, { id }: Series): boolean =>
  stored().byTenant.get(tenantId)?.has(id) ?? false;

/** The series that may be missing in the tenant's dictionary. */
export function unstored(tenantId: string, series: Iterable<Series>, now: number): Series[] {
  const known = stored();
  if (now - known.since > trustedMs || known.count > maxStored) {
    known.byTenant.clear();
    Object.assign(known, { count: 0, since: now });
  }
  const here = known.byTenant.get(tenantId);
  return [...series].filter(({ id }) => !here?.has(id));
}

/** Remembers the series that are now in the tenant's dictionary. */
export function noteStored(tenantId: string, series: readonly Series[]): void {
  const known = stored();
  const here = known.byTenant.get(tenantId) ?? new Set<string>();
  known.byTenant.set(tenantId, here);
  for (const { id } of series) here.add(id);
  known.count += series.length;
}
