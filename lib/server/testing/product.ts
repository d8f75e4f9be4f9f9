import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { projectRoot } from "@/lib/database/data-dir";

export interface Product {
  url: string;
  process: ChildProcess;
  /** Its standard output and error so far. */
  output(): string;
  /** Its exit code, when it has ended. */
  ended: Promise<number | null>;
  /** Stops it and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Builds the product unless the build is up to date with the sources. */
export function ensureBuilt(): void {
  const script = join(projectRoot(), "scripts", "build.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--if-stale"], {
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`The product cannot be built: ${`${stdout}${stderr}`.slice(-3000)}`);
}

/** Each worker has separate ports, below those that a system gives to `listen(0)`: another test's server could get such a port first. */
const portsOfWorker = 3000;
const firstPort = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 4) * portsOfWorker;
let lastTaken = Math.floor(Math.random() * portsOfWorker);

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });

/** A port on which no process listens; concurrent calls return different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastTaken = (lastTaken + 1) % portsOfWorker;
    const port = firstPort + lastTaken;
    if (await isFree(port)) return port;
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** A folder for a store, which PostgreSQL's own user may pass through: under root the store would move elsewhere otherwise. */
export function makeStoreFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-product-"));
  chmodSync(folder, 0o711);
  return folder;
}

/** As `npm start` runs it. */
const started = ["--max-semi-space-size=32", ".server/server.mjs"];

/** Starts a built program of the product on this data folder; resolves when its interface is ready, or fails when it ends. */
export async function startProduct(
  dataDir: string,
  given: Record<string, string> = {},
  program = started,
): Promise<Product> {
  const port = given.PORT ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const file = join(dataDir, `output-${port}.log`);
  const log = openSync(file, "a");
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    DATA_DIR: dataDir,
    DEMO: "off",
    DRAIN_MS: "0",
    // On a busy machine PostgreSQL may be late.
    STORE_TIMEOUT_MS: "30000",
    ...given,
    PORT: port,
  };
  const child = spawn(process.execPath, program, {
    cwd: projectRoot(),
    env,
    stdio: ["ignore", log, log],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const output = () => readFileSync(file, "utf8");
  while (!(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output()}`);
    await pause(5);
  }
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, process: child, output, ended, stop };
}
