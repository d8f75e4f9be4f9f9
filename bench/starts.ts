import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FaultyProxy, startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { startServer } from "./faults/server";

/*
 * npm run bench -- starts [stalls|busy] [count] [loops]: whether a start waits for its store.
 * stalls: the store is paused at each step of a start, when a statement is sent for the first time. On a store with tenants and
 *   on an empty one, for 1, 5 and 20 s in this many rounds (3); in each round every step gets one of these pauses.
 * busy: 20 starts at a low priority next to 4 busy loops, on the embedded store.
 * A start succeeds when the process gets ready, serves pages and then exits with 0. Prints how many did, and fails when one did not.
 */

const [kind = "stalls", counted, loops = "4"] = process.argv.slice(2);
const folder = makeStoreFolder();
const stalls = [1, 5, 20];
const connecting = "connect";
const failures: string[] = [];
/** Steps that not every start reaches, because they depend on the clock. */
const unreached: string[] = [];
let starts = 0;

/** Runs one start until the process has ended; on an empty store it has to print the password. */
async function tryStart(
  name: string,
  dataDir: string,
  env: Record<string, string>,
  isFirst: boolean,
) {
  const begunAt = performance.now();
  starts += 1;
  try {
    const product = await startProduct(dataDir, env);
    const has = (text: string) => product.output().includes(text);
    while (!has("pages are ready") && product.process.exitCode === null) await pause(100);
    const said = has("  Password   ");
    const code = await product.stop();
    if (code !== 0) throw new Error(`it ended with ${code}: ${product.output().slice(-500)}`);
    if (said !== isFirst) throw new Error(`password printed: ${said}, expected: ${isFirst}`);
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
    process.stdout.write(`${name}: served and ended after ${seconds} s\n`);
  } catch (error) {
    failures.push(name);
    process.stdout.write(`${name}: ${error instanceof Error ? error.message.slice(-700) : ""}\n`);
  }
}

/** The distinct statements of a start, one of each kind for the migrations. A stall at each of them covers every step. */
function stepsIn(bytes: Buffer): string[] {
  const texts = bytes
    .toString("latin1")
    .matchAll(
      /(?:\0|Q[\s\S]{4})((?:select|with|insert|update|delete|create|alter|drop|set|show|begin|commit|do|grant)\b[^\0]*)/gi,
    );
  return Array.from(texts, ([, text = ""]) => {
    const words = text.replaceAll(/\s+/g, " ");
    return /^(?:create|alter|drop|do|grant) /i.test(words)
      ? words.split(" ", 2).join(" ")
      : words.slice(0, 160);
  });
}

/** Pauses when the statement of the step is sent for the first time, or at the first packet for a step without a name. */
async function stallAt(proxy: FaultyProxy, step: string, seconds: number, isOver: () => boolean) {
  let isReached = false;
  proxy.watch((bytes) => {
    if (isReached || (step !== connecting && !stepsIn(bytes).includes(step))) return;
    isReached = true;
    proxy.inflict("stall");
  });
  while (!isReached && !isOver()) await pause(5);
  await pause(isReached ? seconds * 1000 : 0);
  proxy.inflict("pass");
  return isReached;
}

async function stepsOfStart(proxy: FaultyProxy, start: () => Promise<void>): Promise<string[]> {
  const steps = new Set([connecting]);
  proxy.watch((bytes) => {
    for (const step of stepsIn(bytes)) steps.add(step);
  });
  await start();
  return [...steps];
}

async function tryStalls(rounds: number): Promise<void> {
  const storeFolder = join(folder, "store");
  mkdirSync(storeFolder, { mode: 0o711 });
  const server = await startServer(storeFolder);
  const proxy = await startFaultyProxy(server.url);
  const env = (database: string) => ({
    DATABASE_URL: proxy.url.replace(/\/postgres$/, `/${database}`),
    SECRET_KEY: randomBytes(32).toString("base64"),
  });
  let stores = 0;
  const emptyStore = async () => {
    stores += 1;
    await server.run(`create database empty_${stores}`);
    return env(`empty_${stores}`);
  };
  const tryAt = async (
    step: string,
    seconds: number,
    given: Record<string, string>,
    isEmpty: boolean,
  ) => {
    const name = `${seconds} s at "${step}", ${isEmpty ? "empty" : "with tenants"}`;
    let isOver = false;
    const start = tryStart(name, folder, given, isEmpty).finally(() => {
      isOver = true;
    });
    const [isReached] = await Promise.all([stallAt(proxy, step, seconds, () => isOver), start]);
    if (!isReached) unreached.push(name);
  };
  try {
    await server.run("create database known");
    const known = env("known");
    const ofEmpty = await stepsOfStart(proxy, () => tryStart("empty", folder, known, true));
    const ofKnown = await stepsOfStart(proxy, () => tryStart("with tenants", folder, known, false));
    process.stdout.write(`steps: ${ofEmpty.length} empty, ${ofKnown.length} with tenants\n`);
    for (let round = 0; round < rounds; round += 1) {
      const secondsAt = (index: number) => stalls[(index + round) % stalls.length] ?? 1;
      for (const [index, step] of ofKnown.entries())
        await tryAt(step, secondsAt(index), known, false);
      for (const [index, step] of ofEmpty.entries())
        await tryAt(step, secondsAt(index), await emptyStore(), true);
    }
  } finally {
    await proxy.close();
    await server.stop("SIGINT");
  }
}

async function tryBusy(count: number): Promise<void> {
  const loop = () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  const busy: ChildProcess[] = Array.from({ length: Number(loops) }, loop);
  // Processes started from now on inherit it.
  setPriority(10);
  try {
    for (let number = 1; number <= count; number += 1)
      await tryStart(`start ${number}`, folder, { DEMO: "on", DATABASE_URL: "" }, number === 1);
  } finally {
    for (const one of busy) one.kill();
  }
}

try {
  if (kind === "busy") await tryBusy(Number(counted ?? 20));
  else await tryStalls(Number(counted ?? 3));
  process.stdout.write(`${starts - failures.length} of ${starts} starts served\n`);
  for (const name of unreached) process.stdout.write(`not reached: ${name}\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
