import { hash } from "node:crypto";
import { type LabelValues, labelKey, labelOf } from "./call-labels";
import { cube, keptDimensions, shapes, valuesIn } from "./dimensions";

/** What is counted: values as one shape keeps them. */
export interface Series {
  id: string;
  shape: number;
  values: LabelValues;
}

/** The series that a call counts for: of all its values together, and one of each shape that keeps fewer. */
interface SeriesOfCell {
  cubeSeries: Series;
  marginalSeries: readonly Series[];
}

const maxRemembered = 20_000;

interface Memory {
  known: Map<string, SeriesOfCell>;
  knownMarginals: Map<string, Series>;
}

const newMemory = (): Memory => ({ known: new Map(), knownMarginals: new Map() });
let current = newMemory();

/** 64 bits of a hash: every process gives a series the same id without asking. */
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
 * Runs work during which each series stays one object. Runs share what is remembered until it is too much: a run that begins then starts
 * anew, and the old goes with the last run that uses it, however runs overlap.
 */
export function withSeries<Result>(work: (seriesOf: SeriesOf) => Promise<Result>): Promise<Result> {
  if (current.known.size >= maxRemembered) current = newMemory();
  const memory = current;
  return work((values) => remembered(memory, values));
}

/** So long a process trusts that the store still has what it wrote: a store that went back in time gets it again. */
const trustedMs = 600_000;
const maxStored = 200_000;
const stored = new Map<string, Set<string>>();
let since = 0;
let storedCount = 0;

/** Whether this process wrote the series within the last minutes. */
export const isStored = (tenantId: string, { id }: Series): boolean =>
  stored.get(tenantId)?.has(id) ?? false;

/** Those that the tenant's dictionary may lack. */
export function unstored(tenantId: string, series: Iterable<Series>, now: number): Series[] {
  if (now - since > trustedMs || storedCount > maxStored) {
    stored.clear();
    [since, storedCount] = [now, 0];
  }
  const here = stored.get(tenantId);
  return [...series].filter(({ id }) => !here?.has(id));
}

/** Notes what has landed in the tenant's dictionary. */
export function noteStored(tenantId: string, series: readonly Series[]): void {
  const here = stored.get(tenantId) ?? new Set<string>();
  stored.set(tenantId, here);
  for (const { id } of series) here.add(id);
  storedCount += series.length;
}
