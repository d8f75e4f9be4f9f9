import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { startServer } from "./faults/server";

/*
 * npm run bench -- starts [stalls|busy] [count] [loops]: whether a start is patient.
 * stalls: the store stands still for 1, 5 and 20 s, begun at so many packets (10) spread over a start, on a store that is empty and on
 *   one that has tenants. busy: so many starts (20) at a low priority beside so many busy loops (4), on the embedded store.
 * A start serves when it is ready, has its pages and then ends with 0. Prints how many did, and fails when one did not.
 */

const [kind = "stalls", counted, loops = "4"] = process.argv.slice(2);
const folder = makeStoreFolder();
const failures: string[] = [];
let starts = 0;

/** One start, to the end of it; on a store that was empty it has to print the password. */
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

async function tryStalls(points: number): Promise<void> {
  const storeFolder = join(folder, "store");
  mkdirSync(storeFolder, { mode: 0o711 });
  const server = await startServer(storeFolder);
  const proxy = await startFaultyProxy(server.url);
  const env = (database: string) => ({
    DATABASE_URL: proxy.url.replace(/\/postgres$/, `/${database}`),
    SECRET_KEY: randomBytes(32).toString("base64"),
  });
  try {
    await server.run("create database known");
    const known = env("known");
    await tryStart("a store that answers", folder, known, true);
    for (const seconds of [1, 5, 20])
      for (let point = 0; point < points; point += 1) {
        const packet = 1 + Math.round((point * 60) / points);
        const isEmpty = point % 2 === 1;
        const database = `empty_${seconds}_${point}`;
        if (isEmpty) await server.run(`create database ${database}`);
        const isReached = proxy.inflictAfter(packet, "stall");
        const heal = (async () => {
          while (!isReached()) await pause(5);
          await pause(seconds * 1000);
          proxy.inflict("pass");
        })();
        const name = `${seconds} s from packet ${packet}, ${isEmpty ? "empty" : "with tenants"}`;
        await Promise.all([heal, tryStart(name, folder, isEmpty ? env(database) : known, isEmpty)]);
      }
  } finally {
    await proxy.close();
    await server.stop("SIGINT");
  }
}

async function tryBusy(count: number): Promise<void> {
  const loop = () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  const busy: ChildProcess[] = Array.from({ length: Number(loops) }, loop);
  // What is started from now on inherits it.
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
  else await tryStalls(Number(counted ?? 10));
  process.stdout.write(`${starts - failures.length} of ${starts} starts served\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
