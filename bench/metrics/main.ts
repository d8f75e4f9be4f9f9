import { rmSync } from "node:fs";
import { closeStore, db, openStore } from "@/lib/db/open";
import { makeStoreFolder } from "@/lib/door/testing/product";
import { countCalls } from "@/lib/metrics/answers";
import { type Cell, type Group, overflow } from "@/lib/metrics/dimensions";
import { dayMs, hourMs, minuteMs } from "@/lib/metrics/grains";
import type { Unit } from "@/lib/metrics/periods";
import { newRecorder, record, swap } from "@/lib/metrics/recorder";
import { writeCells } from "@/lib/metrics/write";
import { hotDay } from "./data";

const days = 90;
const rounds = Number(process.env.BENCH_ROUNDS) || 40;
const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const today = Math.floor(now / dayMs) * dayMs;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Fills a tenant by the ingestion path; answers cells, calls and the seconds it took. */
async function fill(tenantId: string, times: number): Promise<void> {
  let [cells, calls, seconds] = [0, 0, 0];
  for (let day = today - days * dayMs; day <= today; day += dayMs) {
    const batch: Cell[] = [...hotDay(day, now, times)];
    const start = performance.now();
    for (let from = 0; from < batch.length; from += 200_000) {
      const seq = Math.floor(day / dayMs) * 10 + from / 200_000;
      await writeCells({ tenantId, source: "bench", seq }, batch.slice(from, from + 200_000), now);
    }
    seconds += (performance.now() - start) / 1000;
    cells += batch.length;
    calls += batch.reduce((sum, { count }) => sum + count, 0);
    if (process.stderr.isTTY) process.stderr.write(`\r${tenantId}: ${Math.round(((day - today) / dayMs + days) / 0.9)} %`);
  }
  say(
    `\n${tenantId}: ${(calls / 1e6).toFixed(0)} million calls in ${(cells / 1e6).toFixed(2)} million cells, ${Math.round(cells / seconds).toLocaleString("en")} cells/s on one connection`,
  );
}

interface Case {
  title: string;
  from: number;
  unit: Unit;
  groups: Group[];
  target: number;
}

const cases: Case[] = [
  { title: "24 h by minute", from: now - dayMs, unit: "minute", groups: [], target: 5 },
  { title: "24 h by minute, grouped by endpoint", from: now - dayMs, unit: "minute", groups: ["endpoint"], target: 15 },
  { title: "7 days by hour", from: now - 7 * dayMs, unit: "hour", groups: [], target: 5 },
  { title: "90 days by day", from: today - days * dayMs, unit: "day", groups: [], target: 5 },
  { title: "24 h by 15 minutes, endpoint and status (cube)", from: now - dayMs, unit: "hour", groups: ["endpoint", "status"], target: 700 },
];

async function ask(tenantId: string, { from, unit, groups }: Case): Promise<number> {
  const period = { unit, count: 1, timeZone: "UTC" };
  const question = { tenantId, from, to: now, groups, filters: {}, statusClasses: [], timeZone: "UTC", period };
  const times: number[] = [];
  for (let round = 0; round < rounds + 5; round += 1) {
    const start = performance.now();
    await countCalls(question, now);
    if (round >= 5) times.push(performance.now() - start);
  }
  return median(times);
}

async function bytesPerMinute(): Promise<number> {
  const { rows } = await db().$client.query<{ bytes: string; cells: string }>(
    `select sum(pg_total_relation_size(i.inhrelid))::text as bytes from pg_inherits i where i.inhparent = 'metric_minutes'::regclass`,
  );
  const { rows: counted } = await db().$client.query<{ cells: string }>(
    "select (sum(n) * 60)::text as cells from (select count(c.shape) as n from metric_minutes c where c.tenant_id = 'hot' union all select count(c.shape) from metric_minutes c where c.tenant_id = 'hot-10') as counted",
  );
  return Number(rows[0]?.bytes) / Number(counted[0]?.cells);
}

function recording(): void {
  const recorder = newRecorder();
  const calls = Array.from({ length: 1000 }, (_, index) => ({
    tenantId: `tenant-${index % 5}`,
    siteId: "",
    domain: "user",
    endpoint: `GET /v1/resource-${index % 40}`,
    method: "GET",
    status: index % 10 === 0 ? 404 : 200,
    caller: { kind: "apiKey", credentialId: `key_${index % 20}`, userId: "user" } as const,
    ms: 0.5 + (index % 50),
  }));
  const times = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage();
    for (let round = 0; round < 1000; round += 1) for (const call of calls) record(recorder, call);
    const nanoseconds = process.cpuUsage(start).user * 1000;
    swap(recorder, true);
    return nanoseconds / (1000 * calls.length);
  });
  say(`recording: ${median(times).toFixed(0)} ns a call (at most 60)`);
}

/** What nobody sends but may: 10,000 combinations of one minute, so that no two cells share a row. */
async function scattered(): Promise<void> {
  const cells = Array.from(
    { length: 10_000 },
    (_, index): Cell => ({
      at: now - hourMs,
      values: ["user", "", `GET /${index % 400}`, "GET", "200", `key_${Math.floor(index / 400)}`, overflow, "apiKey"],
      count: 1,
    }),
  );
  const start = performance.now();
  for (let seq = 1; seq <= 5; seq += 1) await writeCells({ tenantId: "scattered", source: "bench", seq }, cells, now);
  say(
    `ingestion of 10,000 combinations of one minute: ${Math.round(50_000 / ((performance.now() - start) / 1000)).toLocaleString("en")} cells/s`,
  );
}

async function run(): Promise<void> {
  recording();
  await openStore();
  await fill("hot", 1);
  await fill("hot-10", 10);
  await scattered();
  await db().$client.query("vacuum analyze");
  say(`packed minute cell: ${(await bytesPerMinute()).toFixed(2)} bytes (at most 8)`);
  for (const one of cases) {
    const [plain, tenfold] = [await ask("hot", one), await ask("hot-10", one)];
    const growth = Math.round((tenfold / plain - 1) * 100);
    say(
      `${one.title}: ${plain.toFixed(2)} ms p50 (at most ${one.target}), ${tenfold.toFixed(2)} ms with ten times the calls (${growth > 0 ? "+" : ""}${growth} %)`,
    );
  }
}

const dataDir = makeStoreFolder();
process.env.DATA_DIR = dataDir;
try {
  await run();
} finally {
  await closeStore();
  rmSync(dataDir, { recursive: true, force: true });
}
