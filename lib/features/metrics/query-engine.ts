import { dimensionOf, type Group, other, statusClass } from "./dimensions";
import { quantileOf } from "./histogram";
import { limits } from "./limits";
import type { Question } from "./metrics-query";
import { type Plan, plan, type Segment, tooMany } from "./plan";
import { dimensionsOf, eachNumber, type PackedRow, readSegment } from "./read";

export interface CountSeries {
  groups: Record<string, string>;
  values: number[];
  total: number;
}

export interface Counted {
  plan: Plan;
  series: CountSeries[];
}

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

function groupsOf(
  groups: readonly Group[],
  dimensions: string[],
  values: string[],
): Record<string, string> {
  const shown = (group: Group) => {
    const value = values[dimensions.indexOf(dimensionOf(group))] ?? "";
    return group === "statusClass" ? statusClass(value) : value;
  };
  return Object.fromEntries(groups.map((group) => [group, shown(group)]));
}

type Add<Sum> = (sum: Sum, row: PackedRow, buckets: Int32Array) => void;

/** Reads every segment of the plan and adds its rows up by group. */
async function gather<Sum>(
  question: Question,
  planned: Plan,
  what: "counts" | "latency",
  newSum: () => Sum,
  add: Add<Sum>,
) {
  const dimensions = dimensionsOf(question);
  const found = new Map<string, { groups: Record<string, string>; sum: Sum }>();
  const keys = new Map<string, { groups: Record<string, string>; sum: Sum }>();
  const entryOf = (values: string[]) => {
    const raw = values.join("\n");
    const known = keys.get(raw);
    if (known) return known;
    const groups = groupsOf(question.groups, dimensions, values);
    const key = Object.values(groups).join("\n");
    const entry = found.get(key) ?? { groups, sum: newSum() };
    found.set(key, entry);
    keys.set(raw, entry);
    return entry;
  };
  if (question.groups.length === 0) entryOf([]);
  const parts = await Promise.all(
    planned.segments.map((segment) => readSegment(question, planned, segment, what)),
  );
  for (const [index, segment] of planned.segments.entries()) {
    const buckets = new Map<string, Int32Array>();
    for (const row of parts[index] ?? []) {
      const place = `${row.grain.name} ${row.at}`;
      const slots = buckets.get(place) ?? bucketsOf(planned, segment, row);
      buckets.set(place, slots);
      add(entryOf(row.values).sum, row, slots);
    }
  }
  return [...found.values()];
}

function addCounts(values: Float64Array, row: PackedRow, buckets: Int32Array): void {
  const take = (count: number, slot: number) => {
    const bucket = buckets[slot] ?? -1;
    if (count > 0 && bucket >= 0) values[bucket] = (values[bucket] ?? 0) + count;
  };
  eachNumber(row.packed, take);
  if (row.wide !== null) eachNumber(row.wide, take);
}

const sumOf = (values: ArrayLike<number>) => {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? 0;
  return sum;
};

/** By total, descending, then by key. */
function inOrder<Item extends { groups: Record<string, string>; total: number }>(
  items: Item[],
): Item[] {
  const key = ({ groups }: Item) => Object.values(groups).join("\n");
  return items.sort((a, b) => b.total - a.total || (key(a) < key(b) ? -1 : 1));
}

const otherGroups = (groups: readonly Group[]) =>
  Object.fromEntries(groups.map((group) => [group, other]));

function checkCells(question: Question, planned: Plan, series: number): void {
  const cells = planned.times.length * series;
  if (cells <= limits.cells) return;
  const isSmaller = (period: Plan["period"]) => {
    const tried = plan({ ...question, period }, Date.now());
    return tried.times.length * series <= limits.cells;
  };
  const fits = (period: Plan["period"]) => {
    try {
      return isSmaller(period);
    } catch {
      return false;
    }
  };
  throw tooMany(
    `${planned.times.length} buckets of ${series} series are more than ${limits.cells} values.`,
    question.timeZone,
    fits,
  );
}

/** The calls of each bucket by group: all groups, without a limit. */
async function countAll(question: Question, planned: Plan) {
  const sums = await gather(
    question,
    planned,
    "counts",
    () => new Float64Array(planned.times.length),
    addCounts,
  );
  const series = sums.map(({ groups, sum }) => ({ groups, sum, total: sumOf(sum) }));
  return inOrder(question.groups.length === 0 ? series : series.filter(({ total }) => total > 0));
}

/** The calls of each bucket by group; groups past the limit are summed, so that the totals still reconcile. */
export async function countCalls(question: Question, now = Date.now()): Promise<Counted> {
  const planned = plan(question, now);
  const all = await countAll(question, planned);
  const isCut = all.length > limits.series;
  const kept = isCut ? all.slice(0, limits.series) : all;
  checkCells(question, planned, kept.length);
  const series = kept.map(({ groups, sum, total }) => ({ groups, values: Array.from(sum), total }));
  if (!isCut) return { plan: planned, series };
  const rest = all.slice(limits.series);
  const values = planned.times.map((_, bucket) =>
    rest.reduce((sum, one) => sum + (one.sum[bucket] ?? 0), 0),
  );
  return {
    plan: planned,
    series: [...series, { groups: otherGroups(question.groups), values, total: sumOf(values) }],
  };
}

/** The groups with the most calls, and how many calls there were. */
export async function topCalls(question: Question, limit: number, now = Date.now()) {
  const planned = plan(question, now);
  const all = await countAll(question, planned);
  const sum = all.reduce((calls, one) => calls + one.total, 0);
  return all.slice(0, limit).map(({ groups, total }) => ({
    groups,
    count: total,
    share: sum === 0 ? 0 : Number((total / sum).toPrecision(6)),
  }));
}

type Histograms = (Float64Array | undefined)[];

function addHistogram(into: Histograms, bucket: number, code: number, calls: number): void {
  const histogram = into[bucket] ?? new Float64Array(256);
  into[bucket] = histogram;
  histogram[code] = (histogram[code] ?? 0) + calls;
}

function addLatency(into: Histograms, row: PackedRow, buckets: Int32Array): void {
  eachNumber(row.packed, (entry) => {
    const code = entry % 65_536;
    const bucket = buckets[code >> 8] ?? -1;
    if (bucket >= 0) addHistogram(into, bucket, code & 255, Math.floor(entry / 65_536));
  });
}

export interface LatencySeries {
  groups: Record<string, string>;
  /** Null where there was no call: no time is not no milliseconds. */
  values: (number | null)[];
}

const totalOf = (histograms: Histograms) =>
  histograms.reduce((sum, one) => sum + (one ? sumOf(one) : 0), 0);

/** Quantiles from the histograms of all calls of a bucket, never from other quantiles. One series for each group and quantile. */
export async function latencies(
  question: Question,
  quantiles: readonly number[],
  now = Date.now(),
) {
  const planned = plan(question, now);
  const sums = await gather<Histograms>(question, planned, "latency", () => [], addLatency);
  const all = inOrder(sums.map(({ groups, sum }) => ({ groups, sum, total: totalOf(sum) }))).filter(
    ({ total }) => total > 0 || question.groups.length === 0,
  );
  const kept = all.slice(0, limits.series);
  const rest: Histograms = [];
  for (const { sum } of all.slice(limits.series))
    for (const [bucket, histogram] of sum.entries())
      histogram?.forEach((calls, code) => {
        if (calls > 0) addHistogram(rest, bucket, code, calls);
      });
  if (all.length > limits.series)
    kept.push({ groups: otherGroups(question.groups), sum: rest, total: 0 });
  checkCells(question, planned, kept.length * quantiles.length);
  const series = kept.flatMap(({ groups, sum }): LatencySeries[] =>
    quantiles.map((quantile) => ({
      groups: { ...groups, quantile: `p${quantile * 100}` },
      values: planned.times.map((_, bucket) => quantileOf(sum[bucket] ?? [], quantile)),
    })),
  );
  return { plan: planned, series };
}
