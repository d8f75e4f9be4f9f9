import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
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
