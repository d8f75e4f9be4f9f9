import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { projectRoot } from "@/lib/db/data-dir";
import type { LoadOrder, LoadResult } from "./load";

const built = (name: string) => join(projectRoot(), ".door", name);

export interface Target {
  url: string;
  /** Seconds of CPU that the process has used since its start. */
  cpuSeconds(): Promise<number>;
  process: ChildProcess;
  stop(): Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** Starts the built product on this data folder and waits until its interface is ready. */
export async function startProduct(dataDir: string): Promise<Target> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(dataDir, "server.log"), "a");
  const env = { ...process.env, NODE_ENV: "production" as const, DATA_DIR: dataDir, PORT: String(port), RATE_LIMITS: "off", DEMO: "off" };
  const child = spawn(process.execPath, [built("server.mjs")], { env, stdio: ["ignore", log, log] });
  while (!(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: see ${join(dataDir, "server.log")}`);
    await pause(5);
  }
  const cpuSeconds = async () => {
    const measures = await (await fetch(`${url}/internal/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(measures)?.[1]);
  };
  return { url, cpuSeconds, process: child, stop: () => end(child) };
}

export async function startBare(): Promise<Target> {
  const child = spawn(process.execPath, [built("bench/bare.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const url = String(line).trim();
  return { url, cpuSeconds: async () => Number(await (await fetch(`${url}/cpu`)).text()), process: child, stop: () => end(child) };
}

/** Runs the load in a process of its own, so that it takes no time from whoever is measured. */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [built("bench/load.mjs"), JSON.stringify(order)]);
  return JSON.parse(stdout);
}
