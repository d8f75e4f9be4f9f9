import { setTimeout as wait } from "node:timers/promises";
import { databaseNow } from "@/lib/database/clock";
import { tenantsWithAlerts } from "@/lib/database/global";
import { minuteMs } from "@/lib/features/metrics/grains";
import { type MinuteCalls, readMinutes, widthOf } from "@/lib/features/metrics/minutes";
import { countCalls } from "@/lib/features/metrics/query-engine";
import { completeUntil } from "@/lib/features/metrics/recording";
import { log } from "@/lib/protocol/log";
import { noteJob } from "@/lib/protocol/per-process";
import { claimDue, saveOutcome } from "./due-rows";
import { addMinute, minuteMeasure, needsBaseline, nextStatus, readingOf } from "./evaluate";
import type { AlertRow } from "./rows";
import { filtersOf } from "./rules";
import { baselineMinutes, shortWindowMinutes } from "./values";

/** How long after a minute all its calls are certain to be stored: processes store their counts every second. */
const settleMs = 10_000;
const claimedAtOnce = 20;
const checkedAtOnce = 2;

/** The end of the last minute whose calls are counted. */
const settledMinute = (now: Date) => Math.floor((now.getTime() - settleMs) / minuteMs) * minuteMs;

function sumOf(minutes: readonly MinuteCalls[], width: number, from: number): Float64Array {
  const sum = new Float64Array(width);
  for (const minute of minutes.slice(from)) addMinute(sum, minute);
  return sum;
}

/** The calls on the day before the window. */
async function baselineOf({ tenantId, filter }: AlertRow, to: number): Promise<number> {
  const range = { tenantId, filters: filtersOf(filter), from: to - baselineMinutes * minuteMs, to };
  const period = { unit: "hour", count: 1, timeZone: "UTC" } as const;
  const rest = { group: [], statusClasses: [], timeZone: "UTC", period };
  const { series } = await countCalls({ ...range, ...rest });
  return series[0]?.total ?? 0;
}

/** Evaluates one rule over the minutes up to `end` and saves the outcome. */
async function checkRule(row: AlertRow, end: number, now: Date): Promise<void> {
  const { tenantId, filter, windowMinutes, status } = row;
  if (row.checkedTo && row.checkedTo.getTime() >= end) return;
  const from = end - windowMinutes * minuteMs;
  const measure = minuteMeasure(row.measure);
  const range = { tenantId, filters: filtersOf(filter), from, to: end };
  const minutes = await readMinutes(range, measure, end);
  const sums = {
    long: sumOf(minutes, widthOf(measure), 0),
    short: sumOf(minutes, widthOf(measure), windowMinutes - shortWindowMinutes(windowMinutes)),
  };
  const reading = readingOf(row, sums);
  const baseline = needsBaseline(row, status, reading) ? await baselineOf(row, from) : 0;
  const next = nextStatus(row, status, reading, baseline);
  await saveOutcome(row, { status: next, reading, checkedTo: new Date(end) }, now);
}

interface Round {
  /** By the database's clock. */
  now?: Date;
  isStopping?: () => boolean;
  onFailure?: (error: unknown, row: AlertRow) => void;
}

/**
 * Checks the tenant's rules that are due, once for each minute. A process that has not yet stored its own calls of that minute skips the
 * check until the next minute. A failed check is reported and also retried in the next minute.
 */
export async function checkDueAlerts(tenantId: string, round: Round = {}): Promise<void> {
  const { now = await databaseNow(), isStopping = () => false, onFailure } = round;
  const end = settledMinute(now);
  const next = new Date(end + minuteMs + settleMs);
  for (let isMore = completeUntil() >= end; isMore && !isStopping(); ) {
    const rows = await claimDue(tenantId, { now, next, limit: claimedAtOnce });
    const queue = rows.values();
    const lane = async () => {
      for (const row of queue)
        await checkRule(row, end, now).catch((error: unknown) => {
          if (!onFailure) throw error;
          onFailure(error, row);
        });
    };
    await Promise.all(Array.from({ length: checkedAtOnce }, lane));
    isMore = rows.length === claimedAtOnce;
  }
}

/*
 * Each process polls every few seconds for tenants with rules that are due, a page of tenants at a time, and claims those rules tenant by
 * tenant. A claim advances the due time of the rule, so each rule is checked once a minute regardless of the number of processes.
 */

const lookMs = 10_000;

async function takeTurn(stopping: AbortSignal): Promise<void> {
  const isStopping = () => stopping.aborted;
  const now = await databaseNow();
  for (let after: string | undefined = ""; after !== undefined && !isStopping(); ) {
    const page: Awaited<ReturnType<typeof tenantsWithAlerts>> = await tenantsWithAlerts(after);
    for (const { tenantId, dueAt } of page)
      if (dueAt !== null && dueAt <= now && !isStopping())
        await checkDueAlerts(tenantId, {
          isStopping,
          onFailure: (error, { alertId }) =>
            log().warn({ err: error, tenantId, alertId }, "an alert was not checked"),
        });
    after = page.at(-1)?.tenantId;
  }
}

/** Starts checking alert rules. The returned function stops that and waits for the running check. */
export function startCheckingAlerts(): () => Promise<void> {
  const stop = new AbortController();
  const repeat = async () => {
    while (!stop.signal.aborted) {
      await takeTurn(stop.signal).then(
        () => noteJob("alerts", true),
        (error: unknown) => {
          noteJob("alerts", false);
          log().warn({ err: error }, "alerts could not be checked");
        },
      );
      await wait(lookMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = repeat();
  return async () => {
    stop.abort();
    await running;
  };
}
