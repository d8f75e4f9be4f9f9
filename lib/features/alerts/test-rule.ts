import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { minuteMs } from "@/lib/features/metrics/grains";
import type { AlertTest, AlertTrial } from "./contract";
import { replay } from "./replay";
import { getAlertRow } from "./rows";
import { filtersOf, type Rule, ruleOf } from "./rules";
import { type Asking, keyOf } from "./service";

function replayUntilNow(tenantId: string, rule: Rule, days: number): Promise<AlertTest> {
  const to = Math.floor(Date.now() / minuteMs) * minuteMs;
  return replay(rule, { tenantId, filters: filtersOf(rule.filter), days, to });
}

/** When a rule that nobody saved would have fired. Throws 400. */
export async function tryAlert(
  caller: Caller,
  { days, ...given }: z.output<typeof AlertTrial>,
): Promise<AlertTest> {
  return replayUntilNow(caller.tenantId, ruleOf(caller, given, "api-metric.read"), days);
}

/** When a saved rule would have fired. Throws 404. */
export async function testAlert(asking: Asking & { body: { days: number } }): Promise<AlertTest> {
  const row = await getAlertRow(keyOf(asking, "api-metric.read"));
  return replayUntilNow(row.tenantId, row, asking.body.days);
}
