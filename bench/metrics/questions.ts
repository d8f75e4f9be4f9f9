import { dayMs } from "@/lib/features/metrics/grains";
import { countCalls } from "@/lib/features/metrics/query-engine";
import type { Group, Unit } from "@/lib/features/metrics/values";
import { median, note } from "./report";

const rounds = Number(process.env.BENCH_ROUNDS) || 40;
const unmeasured = 8;

interface Case {
  title: string;
  days: number;
  unit: Unit;
  group: Group[];
  /** Milliseconds, p50. */
  max?: number;
}

const cases: Case[] = [
  { title: "24 h by minute", days: 1, unit: "minute", group: [], max: 5 },
  {
    title: "24 h by minute, by endpoint (57,600 cells)",
    days: 1,
    unit: "minute",
    group: ["endpoint"],
    max: 8,
  },
  { title: "7 days by hour", days: 7, unit: "hour", group: [], max: 5 },
  { title: "90 days by day", days: 90, unit: "day", group: [], max: 5 },
  {
    title: "24 h by hour, by endpoint and status (cube)",
    days: 1,
    unit: "hour",
    group: ["endpoint", "status"],
  },
];

type Ask = () => Promise<number>;

function asking(tenantId: string, { days, unit, group }: Case, now: number): Ask {
  const from = days < 2 ? now - days * dayMs : Math.floor(now / dayMs) * dayMs - days * dayMs;
  const period = { unit, count: 1, timeZone: "UTC" };
  const question = {
    tenantId,
    from,
    to: now,
    group,
    filters: {},
    statusClasses: [],
    timeZone: "UTC",
    period,
  };
  return async () => {
    const start = performance.now();
    await countCalls(question, now);
    return performance.now() - start;
  };
}

/** Queries both tenants alternately, so that other load of the machine affects both. */
export async function measureQuestions(
  tenantId: string,
  tenfoldId: string,
  now: number,
): Promise<void> {
  for (const one of cases) {
    const [plain, tenfold] = [asking(tenantId, one, now), asking(tenfoldId, one, now)];
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds + unmeasured; round += 1) {
      const pair = [await plain(), await tenfold()] as const;
      if (round < unmeasured) continue;
      for (const index of [0, 1] as const) times[index].push(pair[index]);
    }
    const [p50, p50Tenfold] = [median(times[0]), median(times[1])];
    const { title, max } = one;
    if (max === undefined) note(title, `${p50.toFixed(1)} ms p50`);
    else note(title, `${p50.toFixed(2)} ms p50`, `at most ${max}`, p50 <= max);
    const growth = p50Tenfold / p50 - 1;
    note(
      "  with 10 times the calls",
      `${p50Tenfold.toFixed(2)} ms, ${(growth * 100).toFixed(0)} %`,
      "at most 20 % more",
      growth <= 0.2,
    );
  }
}
