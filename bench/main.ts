import { rmSync } from "node:fs";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { cases } from "./cases";
import type { LoadRequest } from "./load";
import { load, startBare, startMeasured, type Target } from "./processes";
import { enter, seed } from "./seed";

const seconds = Number(process.env.BENCH_SECONDS) || 4;
const connectionCounts = [1, 32];

interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicroseconds: number;
  trouble: string;
}

async function measure(
  target: Target,
  request: LoadRequest,
  connections: number,
): Promise<Measured> {
  const order = { url: target.url, request, connections };
  await load({ ...order, seconds: 1 });
  const before = await target.cpuSeconds();
  const { requests, perSecond, p50, p99, statuses, firstFailure } = await load({
    ...order,
    seconds,
  });
  const cpuMicroseconds = (((await target.cpuSeconds()) - before) / requests) * 1e6;
  const trouble =
    firstFailure === undefined ? "" : `${JSON.stringify(statuses)} ${firstFailure.slice(0, 300)}`;
  return { perSecond, p50, p99, cpuMicroseconds, trouble };
}

const columns = [34, 12, 12, 10, 10, 12, 12];

function row(...cells: string[]): void {
  process.stdout.write(
    `${cells.map((cell, i) => (i === 0 ? cell.padEnd(columns[i] ?? 0) : cell.padStart(columns[i] ?? 0))).join("")}\n`,
  );
}

function report(title: string, connections: number, measured: Measured, bare: Measured): void {
  const { perSecond, p50, p99, cpuMicroseconds, trouble } = measured;
  const ratio = `1/${(bare.perSecond / perSecond).toFixed(1)}`;
  row(
    title,
    String(connections),
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    cpuMicroseconds.toFixed(0),
    ratio,
  );
  if (trouble) process.stdout.write(`  not all succeeded: ${trouble}\n`);
}

/** The cases named on the command line, or all. */
function chosen() {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no case ${unknown.join(", ")}. Cases: ${cases.map(({ name }) => name).join(", ")}`,
    );
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
}

async function run(dataDir: string): Promise<void> {
  const picked = chosen();
  await seed(dataDir, 1000);
  const bare = await startBare();
  const product = await startMeasured(dataDir);
  try {
    row("", "connections", "requests/s", "p50 ms", "p99 ms", "CPU us/req", "of bare");
    for (const connections of connectionCounts) {
      const least = await measure(bare, { method: "GET", path: "/", headers: {} }, connections);
      report("bare node:http, 1 KB", connections, least, least);
      for (const { title, request } of picked) {
        // A new session for each case, because the case that signs in ends the oldest sessions.
        const world = await enter(product.url, dataDir);
        report(title, connections, await measure(product, request(world), connections), least);
      }
    }
  } finally {
    await Promise.all([bare.stop(), product.stop()]);
  }
}

const dataDir = makeStoreFolder();
try {
  await run(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
