import { rmSync } from "node:fs";
import { closeStore, db, openStore } from "@/lib/database/open";
import type { Cell } from "@/lib/features/metrics/call-labels";
import { compact } from "@/lib/features/metrics/compaction";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { dayOf } from "./data";
import { measureIngestion } from "./ingestion";
import { measureQuestions } from "./questions";
import { measureRecording, measureRequests } from "./recording-cost";
import { grouped, note, printTable } from "./report";

const days = 90;
const quietTenants = 10;
const batchSize = 100_000;
const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const today = Math.floor(now / dayMs) * dayMs;

/** Fills a tenant by the ingestion path and packs it. */
async function fill(
  tenantId: string,
  share: number,
  times: number,
): Promise<{ cells: number; calls: number; seconds: number }> {
  const done = { cells: 0, calls: 0, seconds: 0 };
  let seq = 0;
  for (let day = today - days * dayMs; day <= today; day += dayMs) {
    const cells: Cell[] = [...dayOf(day, now, share, times)];
    const start = performance.now();
    for (let from = 0; from < cells.length; from += batchSize) {
      seq += 1;
      await writeCells(
        { tenantId, source: "bench", seq },
        cells.slice(from, from + batchSize),
        now,
      );
    }
    if (day === today) await compact(tenantId, now);
    done.seconds += (performance.now() - start) / 1000;
    done.cells += cells.length;
    done.calls += cells.reduce((sum, { count }) => sum + count, 0);
  }
  return done;
}

async function fillHot(tenantId: string, times: number): Promise<void> {
  const { cells, calls, seconds } = await fill(tenantId, 1, times);
  const rate = cells / seconds;
  const what = `${grouped(calls / 1e6)} million calls of one tenant as ${(cells / 1e6).toFixed(1)} million cells, packed`;
  note(what, `${grouped(rate)} cells/s`, "at least 100,000", rate >= 100_000);
}

async function fillQuiet(): Promise<void> {
  let calls = 0;
  for (let index = 0; index < quietTenants; index += 1)
    calls += (await fill(`quiet-${index}`, 1 / (19 * quietTenants), 1)).calls;
  note(`calls of ${quietTenants} other tenants`, `${(calls / 1e6).toFixed(1)} million`);
}

async function bytesPerMinute(): Promise<void> {
  const { rows } = await db().$client.query<{ bytes: number; rows: number }>(
    `select sum(pg_total_relation_size(i.inhrelid))::float8 as bytes, (select count(*) from metric_minutes)::float8 as rows
      from pg_inherits i where i.inhparent = 'metric_minutes'::regclass`,
  );
  const bytes = Number(rows[0]?.bytes) / (Number(rows[0]?.rows) * 60);
  note("packed minute cell, index included", `${bytes.toFixed(2)} bytes`, "at most 8", bytes <= 8);
}

async function measureStore(dataDir: string): Promise<void> {
  process.env.DATA_DIR = dataDir;
  // One connection for writing, one for packing.
  process.env.DATABASE_POOL = "2";
  await openStore();
  await measureIngestion(now);
  await fillHot("hot", 1);
  await fillHot("hot-10", 10);
  await fillQuiet();
  for (const text of ["set statement_timeout = 0", "vacuum analyze", "reset statement_timeout"])
    await db().$client.query(text);
  await bytesPerMinute();
  process.env.DATABASE_POOL = "";
  await closeStore();
  await openStore();
  await measureQuestions("hot", "hot-10", now);
  await closeStore();
}

/** Each part runs on a separate store. */
async function inFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = makeStoreFolder();
  try {
    await work(dataDir);
  } finally {
    await closeStore();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const parts = {
  recording: measureRecording,
  requests: () => inFolder(measureRequests),
  store: () => inFolder(measureStore),
};
const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await measure();
printTable();
