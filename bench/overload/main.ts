import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { enter, seed, type World } from "@/bench/seed";
import { projectRoot } from "@/lib/database/data-dir";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { bump, exchange, type Kind, newTally, type Tally, textOf } from "./connection";
import type { OverloadOrder, OverloadResult } from "./load";
import { cpuSecondsOf, machineSeconds, residentMb } from "./machine";

/*
 * 1,000 connections of mixed load for BENCH_SECONDS (20), from 20 addresses of this machine and by a separate process, against the
 * built product with its limits per minute off and those of connections on. Clients respect Retry-After. Prints, by kind of
 * request, how many were accepted and rejected, and the latency of accepted ones; also /healthz, memory, the CPU time of the
 * machine, and how long it takes until a list is as fast as before. Fails if a valid request gets 400 or 401, or no response.
 * BENCH_PROFILES names a folder for the product's CPU profiles.
 */

const seconds = Number(process.env.BENCH_SECONDS) || 20;
const profiles = process.env.BENCH_PROFILES;
const program =
  profiles === undefined
    ? undefined
    : [
        "--cpu-prof",
        `--cpu-prof-dir=${profiles}`,
        "--max-semi-space-size=32",
        ".server/server.mjs",
      ];

function kinds({ tenant, site, apiKey, shopper, sessionId }: World): Kind[] {
  const key = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  const session = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const shop = { "X-Service-Tenant": tenant, "X-Service-Site": site };
  const bearer = (token: string) => ({ ...shop, Authorization: `Bearer ${token}` });
  const get = { method: "GET" };
  const credentials = JSON.stringify({ login: shopper.login, password: shopper.password });
  const signIn = {
    method: "POST",
    path: "/v1/customer/login/token",
    headers: { ...bearer(shopper.anonymousToken), "Content-Type": "application/json" },
    body: credentials,
  };
  const profile = { ...get, path: "/v1/customer/profile", headers: bearer(shopper.accessToken) };
  const metrics = "/v1/api-metrics/metadata";
  return [
    { name: "list by key", connections: 400, ...get, path: "/v1/user/list?limit=20", headers: key },
    { name: "customer profile", connections: 200, ...profile },
    { name: "customer sign-in", connections: 150, ...signIn },
    { name: "page", connections: 150, ...get, path: "/sign-in", headers: { Accept: "text/html" } },
    { name: "metrics", connections: 100, ...get, path: metrics, headers: session },
  ];
}

const at = (times: number[], share: number) => {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

const say = (text: string) => void process.stdout.write(`${text}\n`);

function print(name: string, { statuses, accepted, rejected, slowest, problems }: Tally): void {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const latency = `accepted p50 ${ms(at(accepted, 0.5))} p99 ${ms(at(accepted, 0.99))}, rejected p99 ${ms(at(rejected, 0.99))}`;
  say(`${name.padEnd(20)} ${JSON.stringify(statuses)} ${latency}`);
  const slow = slowest.map(
    (one) => `${one.status} in ${ms(one.ms)} at ${ms(one.atMs)}${one.isFirst ? " (first)" : ""}`,
  );
  if (slow.length > 0) say(`  slowest: ${slow.join(", ")}`);
  if (Object.keys(problems).length > 0) say(`  PROBLEMS ${JSON.stringify(problems)}`);
}

const dial = (url: string) => {
  const { port, hostname } = new URL(url);
  return connect(Number(port), hostname).setNoDelay(true);
};

interface Probe {
  kind: Kind;
  everyMs: number;
  /** Each request on a separate connection, as an orchestrator does. */
  isAnew?: boolean;
}

/** Repeats the request on one connection until `isOver`. */
async function probe(
  url: string,
  { kind, everyMs, isAnew = false }: Probe,
  isOver: () => boolean,
): Promise<Tally> {
  const tally = newTally();
  const text = textOf(kind, new URL(url).host);
  let socket = dial(url);
  while (!isOver()) {
    const startedAt = performance.now();
    if (isAnew) {
      socket.destroy();
      socket = dial(url);
    }
    const { status } = await exchange(socket, text);
    bump(tally.statuses, String(status));
    tally.accepted.push(performance.now() - startedAt);
    await pause(everyMs);
  }
  socket.destroy();
  return tally;
}

const after = (milliseconds: number) => {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
};

/** Milliseconds until ten consecutive lists are accepted and each takes at most three times as long as before. */
async function recovery(url: string, list: Kind, quietMs: number): Promise<number> {
  const from = performance.now();
  const socket = dial(url);
  for (let good = 0; good < 10; ) {
    const startedAt = performance.now();
    const { status } = await exchange(socket, textOf(list, new URL(url).host));
    good =
      status === 200 && performance.now() - startedAt <= Math.max(20, 3 * quietMs) ? good + 1 : 0;
  }
  socket.destroy();
  return performance.now() - from;
}

async function load(order: OverloadOrder): Promise<OverloadResult> {
  const program = join(projectRoot(), ".server", "bench", "overload", "load.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(order)], {
    maxBuffer: 1 << 30,
  });
  return JSON.parse(stdout);
}

async function runOn(url: string, pid: number, all: Kind[], list: Kind): Promise<boolean> {
  for (const kind of all) await probe(url, { kind, everyMs: 0 }, after(50));
  const quiet = at((await probe(url, { kind: list, everyMs: 5 }, after(2000))).accepted, 0.99);
  const [memory, cpu, machine] = [residentMb(pid), cpuSecondsOf(pid), machineSeconds()];
  let isOver = false;
  const healthz = { kind: { ...list, path: "/healthz", headers: {} }, everyMs: 50 };
  const health = probe(url, healthz, () => isOver);
  const healthAnew = probe(url, { ...healthz, isAnew: true }, () => isOver);
  const { tallies, ownDelayP99Ms, cpuSeconds } = await load({ url, seconds, kinds: all });
  isOver = true;
  const recoveredMs = await recovery(url, list, quiet);
  all.forEach((kind, index) => void print(kind.name, tallies[index] ?? newTally()));
  print("/healthz", await health);
  print("/healthz, anew", await healthAnew);
  say(
    `list alone, before: p99 ${quiet.toFixed(1)} ms; as fast again ${recoveredMs.toFixed(0)} ms after the load`,
  );
  const used = cpuSecondsOf(pid);
  const [own, store] = [used.own - cpu.own, used.started - cpu.started];
  const others = machineSeconds() - machine - own - store - cpuSeconds;
  const cores = (value: number) => (value / seconds).toFixed(2);
  say(
    `processors used: product ${cores(own)}, store ${cores(store)}, load ${cores(cpuSeconds)}, others ${cores(others)}; ` +
      `the load's own delay p99 ${ownDelayP99Ms.toFixed(0)} ms`,
  );
  say(`resident memory: ${memory.toFixed(0)} MiB before, ${residentMb(pid).toFixed(0)} MiB after`);
  return tallies.every(({ problems }) => Object.keys(problems).length === 0);
}

async function run(dataDir: string): Promise<boolean> {
  await seed(dataDir, 1000);
  const settings = { RATE_LIMITS: "off", LOGIN_THROTTLE: "off" };
  const product = await startProduct(dataDir, settings, program);
  try {
    const all = kinds(await enter(product.url, dataDir));
    const [list] = all;
    return list !== undefined && (await runOn(product.url, product.process.pid ?? 0, all, list));
  } finally {
    await product.stop();
  }
}

const dataDir = makeStoreFolder();
try {
  if (!(await run(dataDir))) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
