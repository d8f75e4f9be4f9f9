import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { minuteMs } from "@/lib/features/metrics/grains";
import {
  type MinuteCalls,
  type MinuteQuery,
  readMinutes,
  widthOf,
} from "@/lib/features/metrics/minutes";
import { takeTurns } from "@/lib/protocol/take-turns";
import type { AlertTest, AlertTrial } from "./contract";
import {
  addMinute,
  type Condition,
  minuteMeasure,
  needsBaseline,
  nextStatus,
  readingOf,
} from "./evaluate";
import { getAlertRow } from "./rows";
import { filtersOf, type Rule, ruleOf } from "./rules";
import { type Asking, keyOf } from "./service";
import { type AlertStatus, baselineMinutes, maxListedFirings, shortWindowMinutes } from "./values";

const dayMinutes = 1440;
const points = 336;

/** How long counts by the minute are kept. */
const keptMinutes = 8 * dayMinutes - 1;

/** The calls to replay: their tenant, filters and number of days. */
interface Range {
  tenantId: string;
  filters: MinuteQuery["filters"];
  days: number;
  /** The end of the test, a whole minute. */
  to: number;
}

/** A sliding sum over the last `length` minutes. */
function slidingSum(minutes: readonly MinuteCalls[], width: number, length: number) {
  const sum = new Float64Array(width);
  let end = 0;
  return (until: number) => {
    for (; end < until; end += 1) {
      addMinute(sum, minutes[end]);
      if (end >= length) addMinute(sum, minutes[end - length], -1);
    }
    return sum;
  };
}

/** The minutes of the range, and those before it that its first windows need; one query a day. */
async function readDays({ measure }: Condition, { tenantId, filters, to }: Range, count: number) {
  const from = to - count * minuteMs;
  const minutes: MinuteCalls[] = Array.from({ length: count });
  for (let at = from; at < to; at += dayMinutes * minuteMs) {
    const day = { tenantId, filters, from: at, to: Math.min(at + dayMinutes * minuteMs, to) };
    const first = (at - from) / minuteMs;
    const found = await readMinutes(day, minuteMeasure(measure), to);
    found.forEach((one, index) => {
      minutes[first + index] = one;
    });
  }
  return minutes;
}

type Firing = AlertTest["firings"][number];

const instant = (at: number) => new Date(at).toISOString();

/** The worse of two values: the higher one, or the lower one for silence. */
const worse = ({ measure }: Condition, a: number | null, b: number | null) => {
  if (a === null || b === null) return a ?? b;
  return measure === "silence" ? Math.min(a, b) : Math.max(a, b);
};

/** What a test has found so far. */
interface Findings {
  status: AlertStatus;
  count: number;
  firings: Firing[];
  values: (number | null)[];
}

function note(
  condition: Condition,
  found: Findings,
  {
    at,
    point,
    value,
    status,
  }: { at: number; point: number; value: number | null } & {
    status: AlertStatus;
  },
): void {
  found.values[point] = worse(condition, found.values[point] ?? null, value);
  const last = found.firings.at(-1);
  if (status === "firing" && found.status !== "firing") {
    found.count += 1;
    found.firings.push({ from: instant(at), to: null, peak: value ?? 0 });
    if (found.firings.length > maxListedFirings) found.firings.shift();
  } else if (status === "firing" && last) last.peak = worse(condition, last.peak, value) ?? 0;
  else if (found.status === "firing" && last) last.to = instant(at);
  found.status = status;
}

/** When a rule would have fired: evaluates each minute of the last days from the counts that are stored now. */
export async function replay(condition: Condition, range: Range): Promise<AlertTest> {
  const { windowMinutes, measure } = condition;
  const length = range.days * dayMinutes;
  const needed = length + windowMinutes + (measure === "silence" ? baselineMinutes : 0);
  const count = Math.min(needed, keptMinutes);
  const minutes = await readDays(condition, range, count);
  const width = widthOf(minuteMeasure(measure));
  const slide = (span: number) => slidingSum(minutes, width, span);
  const [long, short] = [slide(windowMinutes), slide(shortWindowMinutes(windowMinutes))];
  const before = slide(baselineMinutes);
  const [step, start] = [Math.ceil(length / points), range.to - length * minuteMs];
  const times = Array.from({ length: Math.ceil(length / step) }, (_, point) =>
    instant(start + point * step * minuteMs),
  );
  const values = times.map(() => null);
  const found: Findings = { status: "ok", count: 0, firings: [], values };
  const turn = takeTurns();
  for (let minute = 0; minute < length; minute += 1) {
    await turn();
    const end = count - length + minute + 1;
    const reading = readingOf(condition, { long: long(end), short: short(end) });
    const isAsked = needsBaseline(condition, found.status, reading);
    const baseline = isAsked ? (before(end - windowMinutes)[0] ?? 0) : 0;
    const status = nextStatus(condition, found.status, reading, baseline);
    const at = start + (minute + 1) * minuteMs;
    note(condition, found, { at, point: Math.floor(minute / step), value: reading.value, status });
  }
  const { firings, values: worst, count: fired } = found;
  return {
    ...{ from: instant(start), to: instant(range.to), count: fired },
    ...{ firings, times, values: worst },
  };
}

function replayUntilNow(tenantId: string, rule: Rule, days: number): Promise<AlertTest> {
  const to = Math.floor(Date.now() / minuteMs) * minuteMs;
  return replay(rule, { tenantId, filters: filtersOf(rule.filter), days, to });
}

/** When an unsaved rule would have fired. Throws 400. */
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
