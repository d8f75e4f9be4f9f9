import type { StorePool } from "@/lib/database/loan";
import { perProcess } from "@/lib/protocol/per-process";
import { cube, keptDimensions, type LabelValues, labelColumns, labelOf } from "./call-labels";
import { dayMs, minuteMs } from "./grains";
import type { Series } from "./series";
import type { Dimension } from "./values";

const maxValues = 10_000;
const maxPairs = 50_000;
const maxCombinations = 100_000;
const liveDays = 30;

/** How long a count may be cached: other processes add values too. */
const countMs = minuteMs;
const maxTenants = 1000;

/** The number of values and series of a shape that the tenant has. Too low only by those that other processes added since `at`. */
interface Count {
  values: number;
  series: number;
  at: number;
}

/** The number of values and series that a batch may add to one shape, and which of them the database already has. */
export interface Room {
  values: number;
  series: number;
  knownValues: Set<string>;
  knownSeries: Set<string>;
}

/** Values and series of a batch that this process has not written lately. */
export interface Candidates {
  values: Set<string>;
  series: Set<string>;
}

const counts = perProcess("metrics-cardinality", () => new Map<string, Map<number, Count>>());

function countsOf(tenantId: string): Map<number, Count> {
  const found = counts().get(tenantId) ?? new Map<number, Count>();
  if (!counts().has(tenantId)) {
    if (counts().size >= maxTenants) counts().clear();
    counts().set(tenantId, found);
  }
  return found;
}

/** The dimension that distinguishes a shape's series of one domain. */
export const dimensionOf = (shape: number): Dimension => keptDimensions(shape).at(-1) ?? "domain";
export const valueIn = (shape: number, values: LabelValues) => labelOf(values, dimensionOf(shape));
const maxSeries = (shape: number) => (shape === cube ? maxCombinations : maxPairs);

const hasRoom = (
  shape: number,
  { values, series }: Pick<Count, "values" | "series">,
  candidates: Candidates,
) =>
  series + candidates.series.size <= maxSeries(shape) &&
  values + candidates.values.size <= maxValues;

interface Found {
  values: number;
  series: number;
  knownValues: string[];
  knownSeries: string[];
}

/** Queries the counts of a shape, and which of the candidates exist. */
async function ask(
  pool: StorePool,
  tenantId: string,
  shape: number,
  candidates: Candidates,
): Promise<Found> {
  const column = `s.${labelColumns[dimensionOf(shape)]}`;
  const live = `from metric_series s where s.tenant_id = $1 and s.shape = ${shape} and s.seen_at >= $2`;
  const since = new Date(Date.now() - liveDays * dayMs).toISOString();
  const isCube = shape === cube;
  const { rows } = await pool.query<Found>(
    `select (select count(*)::int ${live}) as series,
      array(select s.series_id::text ${live} and s.series_id = any($3::bigint[])) as "knownSeries",
      ${isCube ? "0" : `(select count(distinct ${column})::int ${live})`} as values,
      ${isCube ? "'{}'::text[]" : `array(select distinct ${column} ${live} and ${column} = any($4::text[]))`} as "knownValues"`,
    [tenantId, since, [...candidates.series], ...(isCube ? [] : [[...candidates.values]])],
  );
  return rows[0] ?? { values: 0, series: 0, knownValues: [], knownSeries: [] };
}

/** Reads the remaining capacity of a shape for the candidates: from memory if it is large, otherwise from the database. */
export async function roomFor(
  pool: StorePool,
  tenantId: string,
  shape: number,
  candidates: Candidates,
): Promise<Room> {
  const known = countsOf(tenantId);
  const count = known.get(shape);
  if (count && Date.now() - count.at < countMs && hasRoom(shape, count, candidates)) {
    count.values += candidates.values.size;
    count.series += candidates.series.size;
    return {
      values: maxValues,
      series: maxSeries(shape),
      knownValues: new Set(),
      knownSeries: new Set(),
    };
  }
  const found = await ask(pool, tenantId, shape, candidates);
  const added = {
    values: found.values + candidates.values.size,
    series: found.series + candidates.series.size,
  };
  known.set(shape, {
    values: Math.min(added.values, maxValues),
    series: Math.min(added.series, maxSeries(shape)),
    at: Date.now(),
  });
  return {
    values: maxValues - found.values,
    series: maxSeries(shape) - found.series,
    knownValues: new Set(found.knownValues),
    knownSeries: new Set(found.knownSeries),
  };
}

/** Reserves capacity for a series and its value. False if there is none left: then nothing is reserved. */
export function admit(room: Room | undefined, { id }: Series, value: string): boolean {
  if (!room || room.knownSeries.has(id)) return true;
  const isNewValue = !room.knownValues.has(value);
  if (room.series <= 0 || (isNewValue && room.values <= 0)) return false;
  room.series -= 1;
  room.knownSeries.add(id);
  if (isNewValue) {
    room.values -= 1;
    room.knownValues.add(value);
  }
  return true;
}
