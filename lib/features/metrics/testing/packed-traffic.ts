import type { Cell } from "@/lib/features/metrics/call-labels";
import { compact } from "@/lib/features/metrics/compaction";
import { dayMs, hourMs, minuteMs } from "@/lib/features/metrics/grains";
import type { Period } from "@/lib/features/metrics/periods";
import type { CallsQuery } from "@/lib/features/metrics/plan";
import { writeCells } from "@/lib/features/metrics/write";
import { makeTenant } from "@/lib/setup/testing/factories";
import { traffic } from "./traffic";

export const now = Math.floor(Date.now() / minuteMs) * minuteMs;
export const today = Math.floor(now / dayMs) * dayMs;

/** A tenant's calls of 95 days. Every query reads rows that were updated, and calls that are not packed yet. */
export async function makePackedTraffic(): Promise<{ tenantId: string; cells: Cell[] }> {
  const tenantId = await makeTenant();
  const cells = [
    ...traffic(now - 3 * hourMs, now, 3000, 1),
    ...traffic(now - 7 * dayMs, now, 3000, 2),
    ...traffic(now - 95 * dayMs, now, 3000, 3),
  ];
  for (let part = 0; part < 9; part += 1) {
    await writeCells(
      { tenantId, source: "test", seq: part + 1 },
      cells.slice(part * 1000, (part + 1) * 1000),
      now,
    );
    if (part === 2 || part === 7) await compact(tenantId, now);
  }
  return { tenantId, cells };
}

/** A query for the last day, with the given overrides. */
export const question = (tenantId: string, given: Partial<CallsQuery>): CallsQuery => ({
  tenantId,
  from: now - dayMs,
  to: now,
  group: [],
  filters: {},
  statusClasses: [],
  timeZone: "UTC",
  period: undefined,
  ...given,
});

export const period = (unit: Period["unit"], count = 1, timeZone = "UTC"): Period => ({
  unit,
  count,
  timeZone,
});
