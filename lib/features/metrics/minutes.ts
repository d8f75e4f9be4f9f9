import { bucketCount } from "./call-labels";
import type { CallsQuery } from "./plan";
import { plan } from "./plan";
import { addLatency, countAll, gather, type Histograms } from "./query-engine";

/** The measure per minute: the number of calls, the number with one class of status, or their latency. */
export type MinuteMeasure = "calls" | "5xx" | "4xx" | "latency";

/**
 * One minute's calls as numbers that add up over minutes:
 *
 *   calls, 5xx, 4xx   [calls, calls of the class]
 *   latency           calls by latency bucket (call-labels.ts)
 */
export type MinuteCalls = Float64Array | undefined;

export type MinuteQuery = Pick<CallsQuery, "tenantId" | "from" | "to" | "filters">;

/** The length of a minute's array of numbers. */
export const widthOf = (measure: MinuteMeasure): number =>
  measure === "latency" ? bucketCount : 2;

/** The number of calls that the numbers represent. */
export const callsIn = (measure: MinuteMeasure, numbers: Float64Array): number =>
  measure === "latency" ? numbers.reduce((sum, calls) => sum + calls, 0) : (numbers[0] ?? 0);

function countsByMinute(series: Awaited<ReturnType<typeof countAll>>, failed: MinuteMeasure) {
  const found: MinuteCalls[] = [];
  for (const { groups, sum } of series)
    sum.forEach((calls, minute) => {
      if (calls === 0) return;
      const numbers = found[minute] ?? new Float64Array(2);
      numbers[0] = (numbers[0] ?? 0) + calls;
      if (groups.statusClass === failed) numbers[1] = (numbers[1] ?? 0) + calls;
      found[minute] = numbers;
    });
  return found;
}

/** The calls of each minute from `from` on, read with the planner and the statements of the charts. Throws 400 like those. */
export async function readMinutes(
  range: MinuteQuery,
  measure: MinuteMeasure,
  now = Date.now(),
): Promise<readonly MinuteCalls[]> {
  const isByStatus = measure === "5xx" || measure === "4xx";
  const query: CallsQuery = {
    ...range,
    group: isByStatus ? ["statusClass"] : [],
    statusClasses: [],
    timeZone: "UTC",
    period: { unit: "minute", count: 1, timeZone: "UTC" },
  };
  const planned = plan(query, now);
  if (measure !== "latency") return countsByMinute(await countAll(query, planned), measure);
  const [all] = await gather<Histograms>(query, planned, {
    measure: "latency",
    newSum: () => [],
    add: addLatency,
  });
  return all?.sum ?? [];
}
