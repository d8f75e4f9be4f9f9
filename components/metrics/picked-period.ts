import { periods } from "./state";

const unitMs: Record<string, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};

/** The period of buckets of this length, such as 5-minute. Days of 23 hours and months of 28 days are shorter than others. */
export function periodOfLength(length: number): (typeof periods)[number] | undefined {
  return periods.findLast((period) => {
    const [count, unit = ""] = period.split("-");
    return Number(count) * (unitMs[unit] ?? Number.NaN) <= length * 1.1;
  });
}
