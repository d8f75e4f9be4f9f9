import { bucketCount } from "./call-labels";
import type { CallsQuery } from "./plan";
import { plan } from "./plan";
import { addLatency, countAll, gather, type Histograms } from "./query-engine";

/** What is read of the calls of each minute: how many, how many of them with one class of status, or how long they took. */
export type MinuteMeasure = "calls" | "5xx" | "4xx" | "latency";

/**
 * One minute's calls as numbers that add up over minutes:
 *
 *   calls, 5xx, 4xx   [calls, calls of the class]
 *   latency           calls by latency bucket (call-labels.ts)
 */
export type MinuteCalls = Float64Array | undefined;

export type MinuteQuery = Pick<CallsQuery, "tenantId" | "from" | "to" | "filters">;

/** How many numbers a minute has. */
export const widthOf = (measure: MinuteMeasure): number =>
  measure === "latency" ? bucketCount : 2;

/** How many calls the numbers stand for. */
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

/** The calls of each minute from `from` on, by the planner and the statements of charts. Throws 400 as those do. */
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
