import type { StorePool } from "@/lib/database/loan";
import { takeTurns } from "@/lib/protocol/take-turns";
import {
  type Cell,
  cube,
  keepLabels,
  type LabelValues,
  labelKey,
  overflow,
  shapes,
  total,
  withLabel,
} from "./call-labels";
import { admit, type Candidates, dimensionOf, type Room, roomFor, valueIn } from "./rooms";
import { isStored, type Series, type SeriesOf, withSeries } from "./series";
import type { Dimension } from "./values";

async function candidatesOf(
  tenantId: string,
  cells: readonly Cell[],
  seriesOf: SeriesOf,
): Promise<Map<number, Candidates>> {
  const turn = takeTurns();
  const found = new Map<number, Candidates>();
  const add = (series: Series, values: LabelValues) => {
    if (isStored(tenantId, series)) return;
    const candidates = found.get(series.shape) ?? { values: new Set(), series: new Set() };
    found.set(series.shape, candidates);
    candidates.series.add(series.id);
    if (series.shape !== cube) candidates.values.add(valueIn(series.shape, values));
  };
  for (const { values } of cells) {
    await turn();
    const { cubeSeries, marginalSeries } = seriesOf(values);
    for (const series of [cubeSeries, ...marginalSeries]) add(series, values);
  }
  return found;
}

const keepOnly = (values: LabelValues, kept: readonly Dimension[]) =>
  keepLabels(values, kept, overflow);

/** The values, reduced to those within the tenant's limits. */
function limit(
  tenantId: string,
  values: LabelValues,
  rooms: ReadonlyMap<number, Room>,
  seriesOf: SeriesOf,
): LabelValues {
  const admits = (series: Series, all: LabelValues) =>
    isStored(tenantId, series) ||
    admit(rooms.get(series.shape), series, valueIn(series.shape, all));
  const { marginalSeries } = seriesOf(values);
  let limited = values;
  for (const series of marginalSeries) {
    if (admits(series, values)) continue;
    if (series.shape === total) return keepOnly(values, ["status", "credentialKind"]);
    limited = withLabel(limited, dimensionOf(series.shape), overflow);
  }
  for (const kept of [
    undefined,
    ["domain", "method", "status", "credentialKind"],
    ["domain", "credentialKind"],
  ] as const) {
    const values = kept === undefined ? limited : keepOnly(limited, kept);
    if (admits(seriesOf(values).cubeSeries, values)) return values;
  }
  return keepOnly(limited, ["domain"]);
}

/** Adds a cell, merged with an equal one. */
function merge(into: Map<string, Cell>, cell: Cell): void {
  const key = `${cell.at}\n${labelKey(cell.values)}`;
  const same = into.get(key);
  const latency = [...(same?.latency ?? []), ...(cell.latency ?? [])];
  into.set(key, { ...cell, count: cell.count + (same?.count ?? 0), latency });
}

/**
 * Limits the number of distinct values that one tenant can store. A value beyond the limit is counted as `__overflow__`: totals stay exact.
 *
 *   shape                    counted           at most
 *   domain                   distinct domains  10,000
 *   domain and one more      distinct values   10,000, in 50,000 pairs
 *   whole combinations       combinations      100,000
 *
 * Only values of the last 30 days count. The database is queried only for values that this process has not written lately, and for
 * exact counts only near a limit, so that most batches need no query.
 */
export function limitValues(
  pool: StorePool,
  tenantId: string,
  cells: readonly Cell[],
): Promise<readonly Cell[]> {
  return withSeries(async (seriesOf) => {
    const candidates = await candidatesOf(tenantId, cells, seriesOf);
    if (candidates.size === 0) return cells;
    const rooms = new Map<number, Room>();
    for (const shape of shapes) {
      const ofShape = candidates.get(shape);
      if (ofShape) rooms.set(shape, await roomFor(pool, tenantId, shape, ofShape));
    }
    const turn = takeTurns();
    const untouched: Cell[] = [];
    const merged = new Map<string, Cell>();
    for (const cell of cells) {
      await turn();
      const values = limit(tenantId, cell.values, rooms, seriesOf);
      if (values === cell.values) untouched.push(cell);
      else merge(merged, { ...cell, values });
    }
    return [...untouched, ...merged.values()];
  });
}
