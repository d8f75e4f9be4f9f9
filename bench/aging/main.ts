import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { cases } from "@/bench/cases";
import type { LoadRequest } from "@/bench/load";
import { median } from "@/bench/metrics/report";
import { cpuSecondsOf, residentMb } from "@/bench/overload/machine";
import { load } from "@/bench/processes";
import { enter, seed } from "@/bench/seed";
import { closeStore, openStore } from "@/lib/database/open";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { callEverything } from "./traffic";

/*
 * npm run bench -- aging [minutes]: a process is made old by everything that the API offers, rightly and wrongly, for ten minutes in five rounds.
 * After each it is compared with a process that was started a moment ago on the same store: both list 20 users by key in turns, so that
 * others on the machine slow both. Fails where the old one has less than 95 % of the other's requests a second, needs more than 20 %
 * more processor or 60 MB more memory in the last round.
 */

const minutes = Number(process.argv[2]) || 10;
const rounds = 5;
const slices = Number(process.env.BENCH_SLICES) || 12;
const sliceSeconds = 2;
const callers = 4;
const settings = { RATE_LIMITS: "off", LOGIN_THROTTLE: "off", WEBHOOK_NETWORKS: "127.0.0.1" };

interface Measured {
  perSecond: number;
  cpuMicroseconds: number;
}

const pidOf = ({ process: { pid } }: Product) => pid ?? 0;

async function slice(product: Product, request: LoadRequest): Promise<Measured> {
  const before = cpuSecondsOf(pidOf(product)).own;
  const given = { url: product.url, request, connections: 32, seconds: sliceSeconds };
  const { requests, perSecond, firstFailure } = await load(given);
  if (firstFailure !== undefined) throw new Error(firstFailure);
  const seconds = cpuSecondsOf(pidOf(product)).own - before;
  return { perSecond, cpuMicroseconds: (seconds / requests) * 1e6 };
}

interface Comparison {
  speed: number;
  cpu: number;
  memory: [old: number, fresh: number];
  perSecond: [old: number, fresh: number];
}

/** The median of what pairs of slices came to, each pair in the other order than the one before. */
async function compare(old: Product, fresh: Product): Promise<Comparison> {
  const world = await enter(fresh.url, folder);
  const request = cases.find(({ name }) => name === "list-users")?.request(world);
  if (request === undefined) throw new Error("There is no such case.");
  for (let warm = 0; warm < 4; warm += 1)
    for (const product of [fresh, old]) await slice(product, request);
  const pairs: [Measured, Measured][] = [];
  while (pairs.length < slices) {
    const isOldFirst = pairs.length % 2 === 0;
    const first = await slice(isOldFirst ? old : fresh, request);
    const second = await slice(isOldFirst ? fresh : old, request);
    pairs.push(isOldFirst ? [first, second] : [second, first]);
  }
  return {
    speed: median(pairs.map(([a, b]) => a.perSecond / b.perSecond)),
    cpu: median(pairs.map(([a, b]) => a.cpuMicroseconds / b.cpuMicroseconds)),
    memory: [residentMb(pidOf(old)), residentMb(pidOf(fresh))],
    perSecond: [median(pairs.map(([a]) => a.perSecond)), median(pairs.map(([, b]) => b.perSecond))],
  };
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

async function age(old: Product): Promise<boolean> {
  let last: Comparison | undefined;
  for (let round = 0; round <= rounds; round += 1) {
    const seconds = (minutes * 60) / rounds;
    const traffic =
      round === 0
        ? { statuses: new Map<number, number>(), faults: [] }
        : await callEverything(old.url, { seconds, callers, seed: round });
    const fresh = await startProduct(folder, settings);
    last = await compare(old, fresh).finally(() => fresh.stop());
    const { speed, cpu, memory, perSecond } = last;
    const asked = [...traffic.statuses.values()].reduce((sum, one) => sum + one, 0);
    process.stdout.write(
      `after ${((round * minutes) / rounds).toFixed(0)} min, ${asked} requests more: ${percent(speed)} of the requests a second (${perSecond.map((one) => one.toFixed(0)).join(" beside ")}), ${percent(cpu)} of the processor, ${memory.map((mb) => mb.toFixed(0)).join(" beside ")} MB\n`,
    );
    for (const fault of traffic.faults.slice(0, 5)) process.stdout.write(`  ${fault}\n`);
  }
  const [own = 0, others = 0] = last?.memory ?? [];
  return last !== undefined && last.speed >= 0.95 && last.cpu <= 1.2 && own - others <= 60;
}

const folder = makeStoreFolder();
process.env.SECRET_KEY = randomBytes(32).toString("base64");
try {
  await seed(folder, 1000, 0);
  const old = await startProduct(folder, settings);
  await openStore();
  try {
    process.exitCode = (await age(old)) ? 0 : 1;
  } finally {
    await closeStore();
    await old.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
