import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { projectRoot } from "@/lib/database/data-dir";

export interface StoreProcess {
  isStartedHere: boolean;
  postmasterPid: number;
  /** The rows in the store when this process opened it. */
  notes: string[];
  /** Writes a row: "kept" once it is committed. */
  keep(note: string): Promise<string>;
  /** Its exit code, and its standard error output. */
  leave(): Promise<Ended>;
  kill(): Promise<Ended>;
}

interface Ended {
  code: number | null;
  errors: string;
}

const script = join(
  projectRoot(),
  "node_modules",
  ".cache",
  "gatehouse",
  `store-process-${process.pid}.mjs`,
);

/** Bundles the process's script, since Node runs no TypeScript; returns its removal. It is in the project, as the product's own. */
export async function buildStoreProcess(): Promise<() => void> {
  const entry = join(projectRoot(), "lib", "database", "testing", "store-process.ts");
  await build({
    entryPoints: [entry],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return () => rmSync(script);
}

/** Starts a process that uses the store of this data folder, and waits until it does. */
export async function startStoreProcess(dataDir: string): Promise<StoreProcess> {
  const child = spawn(process.execPath, [script], {
    env: { NODE_ENV: "test", PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (bytes) => {
    errors += bytes;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done)
      throw new Error(`The process ended with ${child.exitCode ?? child.signalCode}. ${errors}`);
    return JSON.parse(value);
  };
  const opened = await next();
  const ended = async (end: () => void): Promise<Ended> => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, "close");
      end();
      await closed;
    }
    return { code: child.exitCode, errors };
  };
  return {
    ...opened,
    async keep(note) {
      child.stdin.write(`${note}\n`);
      return (await next()).answer;
    },
    leave: () => ended(() => child.stdin.end()),
    kill: () => ended(() => child.kill("SIGKILL")),
  };
}
