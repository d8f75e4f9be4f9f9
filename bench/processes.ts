import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "@/lib/database/data-dir";
import { startProduct } from "@/lib/server/testing/product";
import type { LoadOrder, LoadResult } from "./load";

const built = (name: string) => join(projectRoot(), ".server", "bench", name);

export interface Target {
  url: string;
  /** Seconds of CPU that the process has used since its start. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<unknown>;
}

/** Starts the built product without the limits that a single caller would exceed. */
export async function startMeasured(dataDir: string): Promise<Target> {
  const { url, stop } = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const cpuSeconds = async () => {
    const measures = await (await fetch(`${url}/internal/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(measures)?.[1]);
  };
  return { url, cpuSeconds, stop };
}

export async function startBare(): Promise<Target> {
  const child = spawn(process.execPath, [built("bare.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const url = String(line).trim();
  const cpuSeconds = async () => Number(await (await fetch(`${url}/cpu`)).text());
  return { url, cpuSeconds, stop: async () => child.kill() };
}

/** Runs the load in a separate process, so that it takes no time from the measured process. */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    built("load.mjs"),
    JSON.stringify(order),
  ]);
  return JSON.parse(stdout);
}
