import {
  bucketIn,
  callsOf,
  dimensionOf,
  labelKey,
  other,
  placeOf,
  quantileOf,
  slotOf,
  statusClass,
  sumOf,
  toArray,
} from "./call-labels";
import {
  type CallsQuery,
  type Counted,
  type Plan,
  plan,
  planPeriod,
  type Segment,
  tooManyValues,
} from "./plan";
import { eachNumber, type Measure, type PackedRow, readSegment } from "./read";
import { type Group, limits } from "./values";

/** The bucket of each slot of a row, -1 outside the segment. */
function bucketsOf(
  { times }: Plan,
  { from, to }: Segment,
  { at: rowAt, grain: { slots, slotMs } }: PackedRow,
): Int32Array {
  const found = new Int32Array(slots).fill(-1);
  let bucket = -1;
  for (let slot = 0; slot < slots; slot += 1) {
    const at = rowAt + slot * slotMs;
    if (at < from || at >= to) continue;
    while ((times[bucket + 1] ?? Number.POSITIVE_INFINITY) <= at) bucket += 1;
    found[slot] = bucket;
  }
  return found;
}

/** The group values of a row, by their names in the query. */
function groupsOf(
  { group }: CallsQuery,
  { dimensions }: Plan,
  { values }: PackedRow,
): Record<string, string> {
  const shownValue = (name: Group) => {
    const value = values[dimensions.indexOf(dimensionOf(name))] ?? "";
    return name === "statusClass" ? statusClass(value) : value;
  };
  return Object.fromEntries(group.map((name) => [name, shownValue(name)]));
}

/** How rows of one measure are added up. */
interface Aggregation<Sum> {
  measure: Measure;
  newSum: () => Sum;
  add: (sum: Sum, row: PackedRow, buckets: Int32Array) => void;
}

/** The same text for the same groups. */
const keyOf = (groups: Record<string, string>) => Object.values(groups).join("\n");

interface GroupSum<Sum> {
  groups: Record<string, string>;
  sum: Sum;
}

/** One sum for each combination of groups: rows that differ only in other dimensions share one. */
function groupSums<Sum>(query: CallsQuery, planned: Plan, newSum: () => Sum) {
  const sums = new Map<string, GroupSum<Sum>>();
  const byValues = new Map<string, GroupSum<Sum>>();
  const find = (row: PackedRow): GroupSum<Sum> => {
    const valuesKey = labelKey(row.values);
    const known = byValues.get(valuesKey);
    if (known) return known;
    const groups = groupsOf(query, planned, row);
    const key = keyOf(groups);
    const found = sums.get(key) ?? { groups, sum: newSum() };
    sums.set(key, found);
    byValues.set(valuesKey, found);
    return found;
  };
  if (query.group.length === 0) sums.set("", { groups: {}, sum: newSum() });
  return { sums, find };
}

/** Reads every segment of the plan and adds its rows up by group. */
export async function gather<Sum>(
  query: CallsQuery,
  planned: Plan,
  { measure, newSum, add }: Aggregation<Sum>,
): Promise<GroupSum<Sum>[]> {
  const { sums, find } = groupSums(query, planned, newSum);
  const parts = await Promise.all(
    planned.segments.map((segment) => readSegment(query, { plan: planned, segment, measure })),
  );
  for (const [index, segment] of planned.segments.entries()) {
    const buckets = new Map<string, Int32Array>();
    for (const row of parts[index] ?? []) {
      const rowKey = `${row.grain.name} ${row.at}`;
      const slots = buckets.get(rowKey) ?? bucketsOf(planned, segment, row);
      buckets.set(rowKey, slots);
      add(find(row).sum, row, slots);
    }
  }
  return [...sums.values()];
}

function addCounts(values: Float64Array, row: PackedRow, buckets: Int32Array): void {
  const take = (count: number, slot: number) => {
    const bucket = buckets[slot] ?? -1;
    if (count > 0 && bucket >= 0) values[bucket] = (values[bucket] ?? 0) + count;
  };
  eachNumber(row.packed, take);
  if (row.wide !== null) eachNumber(row.wide, take);
}

/** By total, descending, then by key. */
function inOrder<Item extends { groups: Record<string, string>; total: number }>(
  items: Item[],
): Item[] {
  return items.sort((a, b) => b.total - a.total || (keyOf(a.groups) < keyOf(b.groups) ? -1 : 1));
}

const otherGroups = ({ group }: CallsQuery) =>
  Object.fromEntries(group.map((name) => [name, other]));

interface Answer {
  query: CallsQuery;
  planned: Plan;
  now: number;
}

/** Throws 400, with the smallest period whose response would be small enough. */
function assertCells({ query, planned, now }: Answer, series: number): void {
  const isWithin = ({ times }: Plan) => times.length * series <= limits.cells;
  if (isWithin(planned)) return;
  const matches = (period: Plan["period"]) => {
    const other = planPeriod(query, period, now);
    return typeof other === "object" && isWithin(other);
  };
  throw tooManyValues(
    `${planned.times.length} buckets of ${series} series are more than ${limits.cells} values.`,
    query.timeZone,
    matches,
  );
}

/** The calls of each bucket by group: all groups, without a limit. */
export async function countAll(query: CallsQuery, planned: Plan) {
  const sums = await gather(query, planned, {
    measure: "counts",
    newSum: () => new Float64Array(planned.times.length),
    add: addCounts,
  });
  const series = sums.map(({ groups, sum }) => ({ groups, sum, total: sumOf(sum) }));
  return inOrder(query.group.length === 0 ? series : series.filter(({ total }) => total > 0));
}

/** The calls of each bucket by group; groups past the limit are summed, so that the totals still reconcile. */
export async function countCalls(query: CallsQuery, now = Date.now()): Promise<Counted> {
  const planned = plan(query, now);
  const all = await countAll(query, planned);
  const isCut = all.length > limits.series;
  const kept = isCut ? all.slice(0, limits.series) : all;
  assertCells({ query, planned, now }, kept.length);
  const series = kept.map(({ groups, sum, total }) => ({ groups, values: toArray(sum), total }));
  if (!isCut) return { plan: planned, series };
  const rest = all.slice(limits.series);
  const values = planned.times.map((_, bucket) =>
    rest.reduce((sum, one) => sum + (one.sum[bucket] ?? 0), 0),
  );
  return {
    plan: planned,
    series: [...series, { groups: otherGroups(query), values, total: sumOf(values) }],
  };
}

/** The groups with the most calls, and the total number of calls. */
export async function topCalls(query: CallsQuery, limit: number, now = Date.now()) {
  const planned = plan(query, now);
  const all = await countAll(query, planned);
  const sum = all.reduce((calls, one) => calls + one.total, 0);
  return all.slice(0, limit).map(({ groups, total }) => ({
    groups,
    count: total,
    share: sum === 0 ? 0 : Number((total / sum).toPrecision(6)),
  }));
}

export type Histograms = (Float64Array | undefined)[];

function histogramOf(all: Histograms, bucket: number): Float64Array {
  const histogram = all[bucket] ?? new Float64Array(256);
  all[bucket] = histogram;
  return histogram;
}

function addHistogram(histogram: Float64Array, latencyBucket: number, calls: number): void {
  histogram[latencyBucket] = (histogram[latencyBucket] ?? 0) + calls;
}

export function addLatency(into: Histograms, row: PackedRow, buckets: Int32Array): void {
  eachNumber(row.packed, (entry) => {
    const place = placeOf(entry);
    const bucket = buckets[slotOf(place)] ?? -1;
    if (bucket >= 0) addHistogram(histogramOf(into, bucket), bucketIn(place), callsOf(entry));
  });
}

export interface LatencySeries {
  groups: Record<string, string>;
  /** Null without calls: 0 would be a latency. */
  values: (number | null)[];
}

const totalOf = (histograms: Histograms) =>
  histograms.reduce((sum, one) => sum + (one ? sumOf(one) : 0), 0);

/** Quantiles from the histograms of all calls of a bucket, never from other quantiles. One series for each group and quantile. */
export async function latencies(query: CallsQuery, quantiles: readonly number[], now = Date.now()) {
  const planned = plan(query, now);
  const sums = await gather<Histograms>(query, planned, {
    measure: "latency",
    newSum: () => [],
    add: addLatency,
  });
  const all = inOrder(sums.map(({ groups, sum }) => ({ groups, sum, total: totalOf(sum) }))).filter(
    ({ total }) => total > 0 || query.group.length === 0,
  );
  const kept = all.slice(0, limits.series);
  const rest: Histograms = [];
  for (const { sum } of all.slice(limits.series))
    for (const [bucket, histogram] of sum.entries())
      histogram?.forEach((calls, latencyBucket) => {
        if (calls > 0) addHistogram(histogramOf(rest, bucket), latencyBucket, calls);
      });
  if (all.length > limits.series) kept.push({ groups: otherGroups(query), sum: rest, total: 0 });
  assertCells({ query, planned, now }, kept.length * quantiles.length);
  const series = kept.flatMap(({ groups, sum }): LatencySeries[] =>
    quantiles.map((quantile) => ({
      groups: { ...groups, quantile: `p${quantile * 100}` },
      values: planned.times.map((_, bucket) => quantileOf(sum[bucket] ?? [], quantile)),
    })),
  );
  return { plan: planned, series };
}
