import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { makeStoreFolder, type Product } from "@/lib/server/testing/product";
import { type Endpoint, type Manner, openEndpoints } from "./receivers";
import { happen, openWorld } from "./world";

/*
 * npm run bench -- deliveries [events] [kills] [processes]: 10,000 events to 20 endpoints of which two never answer and two answer 500,
 * while one process (or one of several) is killed with -9 twenty times. Each round has two halves: in the first one a process is killed
 * during the events; once every healthy endpoint has received all of them, the delivery times of the second half are measured without
 * a kill. Prints which events were missing, out of order or delivered twice, and the times. An interrupt ends it after the current
 * round.
 */

const [events, kills, processes] = [10_000, 20, 1].map(
  (usual, place) => Number(process.argv[2 + place]) || usual,
) as [number, number, number];
const manners: Manner[] = [
  ...Array.from({ length: 16 }, (): Manner => "healthy"),
  ...(["silent", "silent", "failing", "failing"] as const),
];
/** Events per second: with a kill and without one. */
const rates = { killed: 50, calm: 25 };
const patienceMs = 300_000;
let isInterrupted = false;
const maxCalmMs = 2000;

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function happenSteadily(from: number, to: number, perSecond: number): Promise<void> {
  const since = performance.now();
  for (let n = from; n < to; n += 1) {
    await pause(Math.max(0, since + ((n - from) * 1000) / perSecond - performance.now()));
    await happen(n);
  }
}

/** The state of endpoints with pending events, for debugging. */
async function whatWaits(): Promise<string> {
  const { rows } = await db().execute(
    sql`select w.url, w.audit_seq, w.failures, w.due_at, w.lease_holder, d.event_id, d.due_at as next, d.attempts, d.log
      from webhooks w left join webhook_deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.state = 'pending'
      where w.tenant_id = 'bench' and w.failures = 0 order by d.due_at limit 20`,
  );
  return JSON.stringify(rows, undefined, 1);
}

/** Resolves once each endpoint has this many events; throws if one does not within five minutes. */
async function untilAllHave(healthy: readonly Endpoint[], count: number): Promise<void> {
  const until = performance.now() + patienceMs;
  const short = () => healthy.filter(({ first }) => first.size < count);
  while (short().length > 0) {
    if (performance.now() > until) {
      const counts = short().map(({ url, first }) => `${url} has ${first.size} of ${count}`);
      throw new Error(`Events do not arrive. ${counts.join(", ")} ${await whatWaits()}`);
    }
    await pause(20);
  }
}

interface Round {
  /** The running products; a killed one is replaced at its index. */
  running: Product[];
  healthy: readonly Endpoint[];
  from: number;
  to: number;
}

/** Kills one process during the events. Returns the time from the kill until everything was delivered. */
async function killedHalf(
  { running, healthy, from, to }: Round,
  victim: number,
  start: () => Promise<Product>,
): Promise<number> {
  const made = happenSteadily(from, to, rates.killed);
  await pause((Math.random() * (to - from) * 1000) / rates.killed);
  const killedAt = performance.now();
  running[victim]?.process.kill("SIGKILL");
  await running[victim]?.ended;
  running[victim] = await start();
  await made;
  await untilAllHave(healthy, to);
  return performance.now() - killedAt;
}

/** The delivery times of the events without a kill. */
async function calmHalf({ healthy, from, to }: Round): Promise<number[]> {
  const before = healthy.map(({ first }) => first.size);
  await happenSteadily(from, to, rates.calm);
  await untilAllHave(healthy, to);
  return healthy.flatMap(({ first }, index) =>
    [...first.values()].slice(before[index]).map(({ ms }) => ms),
  );
}

/** The ids of the events in their order in the feed. */
async function happened(): Promise<Map<string, number>> {
  const { rows } = await db().execute<{ id: string; seq: number }>(
    sql`select audit_id as id, seq::float8 as seq from audit_events where tenant_id = 'bench' and action = 'user.updated' order by seq`,
  );
  return new Map(rows.map(({ id, seq }) => [id.replace(/^aud_/, "evt_"), seq]));
}

/** The errors in the deliveries to a healthy endpoint. */
function faultsOf({ first, wrong, url }: Endpoint, order: Map<string, number>): string[] {
  const missing = [...order.keys()].filter((id) => !first.has(id)).length;
  const foreign = [...first.keys()].filter((id) => !order.has(id)).length;
  const last = new Map<string, number>();
  let disordered = 0;
  for (const { id, subject } of first.values()) {
    const seq = order.get(id) ?? 0;
    if (seq < (last.get(subject) ?? 0)) disordered += 1;
    last.set(subject, seq);
  }
  const counts = { missing, foreign, disordered, wrong: wrong.length };
  return Object.entries(counts).flatMap(([what, n]) => (n > 0 ? [`${url}: ${n} ${what}`] : []));
}

function report(all: readonly Endpoint[], faults: string[], calm: number[], recoveries: number[]) {
  const [times, after] = [calm, recoveries].map((ms) => ms.toSorted((a, b) => a - b)) as [
    number[],
    number[],
  ];
  const p99 = percentile(times, 0.99);
  const again = all.filter(({ manner }) => manner === "healthy").map((one) => one.again);
  const lines = [
    `faults: ${faults.length === 0 ? "none" : faults.join("; ")}`,
    `came again, by healthy endpoint: ${Math.min(...again)} to ${Math.max(...again)}`,
    `outside the kills, ms: p50 ${percentile(times, 0.5)}, p99 ${p99}, longest ${times.at(-1)} (${times.length} deliveries)`,
    `from a kill until all was delivered, ms: median ${percentile(after, 0.5).toFixed(0)}, longest ${after.at(-1)?.toFixed(0)}`,
    `requests to the others: ${all.flatMap((one) => (one.manner === "healthy" ? [] : [`${one.manner} ${one.requests}`])).join(", ")}`,
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  return faults.length === 0 && p99 <= maxCalmMs;
}

async function run(folder: string): Promise<boolean> {
  const receivers = await openEndpoints(manners);
  const world = await openWorld(folder);
  const running = await Promise.all(Array.from({ length: processes }, () => world.start()));
  try {
    const [first] = running;
    if (first)
      await world.addWebhooks(
        first,
        receivers.endpoints.map(({ url }) => url),
      );
    const healthy = receivers.endpoints.filter(({ manner }) => manner === "healthy");
    const [calm, recoveries]: [number[], number[]] = [[], []];
    let made = 0;
    for (let round = 0; round < kills && !isInterrupted; round += 1) {
      const [from, to] = [round, round + 1].map((n) => Math.round((events * n) / kills));
      const half = Math.round(((from ?? 0) + (to ?? 0)) / 2);
      const common = { running, healthy };
      const killed = { ...common, from: from ?? 0, to: half };
      recoveries.push(await killedHalf(killed, round % processes, world.start));
      calm.push(...(await calmHalf({ ...common, from: half, to: to ?? 0 })));
      made = to ?? 0;
      process.stdout.write(`\rkilled ${round + 1} of ${kills} times, ${made} events   `);
    }
    const order = await happened();
    const faults = healthy.flatMap((endpoint) => faultsOf(endpoint, order));
    return report(receivers.endpoints, faults, calm, recoveries) && order.size === made;
  } finally {
    for (const { process: child } of running) child.kill("SIGKILL");
    await Promise.all(running.map(({ ended }) => ended));
    receivers.close();
    await world.close();
  }
}

process.once("SIGINT", () => {
  isInterrupted = true;
});
const folder = makeStoreFolder();
try {
  process.exitCode = (await run(folder)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
