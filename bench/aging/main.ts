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
 * npm run bench -- aging [minutes]: one process gets valid and invalid requests of every operation for ten minutes in five rounds.
 * After each round it is compared with a process just started on the same store: both list 20 users by key in short slices, in the
 * order A B B A. Before that the old one gets 40,000 of these requests, and the fresh one as many as the old one got in total, because
 * the engine optimizes code by the number of calls. Fails if in the last round the old one has less than 95 % of the other's requests
 * a second, or needs more than 20 % more CPU time or 60 MB more memory. With 0 minutes both are fresh: the result then shows the
 * accuracy of the comparison.
 */

const minutes = Number(process.argv[2] ?? 10);
const rounds = minutes === 0 ? 2 : 5;
/** Each slice runs the two processes in the order A B B A. */
const slices = Number(process.env.BENCH_SLICES) || 10;
const warming = 40_000;
const sliceRequests = 3000;
const callers = 4;
const settings = { RATE_LIMITS: "off", LOGIN_THROTTLE: "off", WEBHOOK_NETWORKS: "127.0.0.1" };

interface Measured {
  seconds: number;
  cpuSeconds: number;
}

const pidOf = ({ process: { pid } }: Product) => pid ?? 0;

/** The number of requests that each process has got. */
const asked = new Map<Product, number>();

async function slice(product: Product, request: LoadRequest, count = sliceRequests) {
  asked.set(product, (asked.get(product) ?? 0) + count);
  const before = cpuSecondsOf(pidOf(product)).own;
  const given = { url: product.url, request, connections: 32, seconds: 120, requests: count };
  const { requests, perSecond, firstFailure } = await load(given);
  if (firstFailure !== undefined) throw new Error(firstFailure);
  const cpuSeconds = (cpuSecondsOf(pidOf(product)).own - before) / requests;
  return { seconds: 1 / perSecond, cpuSeconds };
}

interface Comparison {
  /** By rank: the lower quarter, the median and the upper quarter of the slices. */
  speeds: [number, number, number];
  cpu: number;
  memory: [old: number, fresh: number];
  perSecond: [old: number, fresh: number];
}

const sum = (a: Measured, b: Measured): Measured => ({
  seconds: a.seconds + b.seconds,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
});

async function compare(old: Product, fresh: Product): Promise<Comparison> {
  const world = await enter(fresh.url, folder);
  const request = cases.find(({ name }) => name === "list-users")?.request(world);
  if (request === undefined) throw new Error("There is no such case.");
  // The old one too, because its traffic has changed what the engine optimizes.
  await slice(old, request, warming);
  await slice(fresh, request, asked.get(old));
  const pairs: [Measured, Measured][] = [];
  while (pairs.length < slices) {
    const [a, b] = pairs.length % 2 === 0 ? [old, fresh] : [fresh, old];
    const [first, second, third, last] = [
      ...[await slice(a, request), await slice(b, request)],
      ...[await slice(b, request), await slice(a, request)],
    ] as [Measured, Measured, Measured, Measured];
    const [outer, inner] = [sum(first, last), sum(second, third)];
    pairs.push(a === old ? [outer, inner] : [inner, outer]);
  }
  const speeds = pairs.map(([a, b]) => b.seconds / a.seconds).sort((a, b) => a - b);
  const at = (share: number) => speeds[Math.floor(speeds.length * share)] ?? Number.NaN;
  return {
    speeds: [at(0.25), at(0.5), at(0.75)],
    cpu: median(pairs.map(([a, b]) => a.cpuSeconds / b.cpuSeconds)),
    memory: [residentMb(pidOf(old)), residentMb(pidOf(fresh))],
    perSecond: [
      median(pairs.map(([a]) => 2 / a.seconds)),
      median(pairs.map(([, b]) => 2 / b.seconds)),
    ],
  };
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

async function age(old: Product): Promise<boolean> {
  let last: Comparison | undefined;
  for (let round = 0; round <= rounds; round += 1) {
    const seconds = (minutes * 60) / rounds;
    const traffic =
      seconds === 0 || round === 0
        ? { statuses: new Map<number, number>(), faults: [] }
        : await callEverything(old.url, { seconds, callers, seed: round });
    const fresh = await startProduct(folder, settings);
    last = await compare(old, fresh).finally(() => fresh.stop());
    const { speeds, cpu, memory, perSecond } = last;
    const [lower, speed, upper] = speeds.map(percent);
    const sent = [...traffic.statuses.values()].reduce((sum, one) => sum + one, 0);
    process.stdout.write(
      `after ${((round * minutes) / rounds).toFixed(0)} min, ${sent} requests more: ${speed} (${lower} to ${upper}) of the requests a second (${perSecond.map((one) => one.toFixed(0)).join(" beside ")}), ${percent(cpu)} of the processor, ${memory.map((mb) => mb.toFixed(0)).join(" beside ")} MB\n`,
    );
    for (const fault of traffic.faults.slice(0, 5)) process.stdout.write(`  ${fault}\n`);
  }
  const [own = 0, others = 0] = last?.memory ?? [];
  return last !== undefined && last.speeds[1] >= 0.95 && last.cpu <= 1.2 && own - others <= 60;
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
