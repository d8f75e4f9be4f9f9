import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { type Home, postgresEnvironment, prepareHome } from "@/lib/database/embedded/home";
import { freePort } from "@/lib/server/testing/product";

/** A PostgreSQL over TCP that only this suite starts, stops and pauses. */
export interface Server {
  url: string;
  stop(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  start(): Promise<void>;
  /** Kills all of its processes at once. */
  kill(): Promise<void>;
  /** Pauses or resumes the postmaster and all its children. */
  signalAll(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Runs statements without a proxy. */
  run(text: string): Promise<Record<string, unknown>[]>;
  /** Fills its disk, and `clear` frees it again; only if it has a separate small one. */
  fill(): Promise<void>;
  clear(): void;
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 100,
  shared_buffers: "64MB",
  max_wal_size: "64MB",
  min_wal_size: "32MB",
  log_min_messages: "fatal",
};

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((child) => child > 0 && parentOf(child) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

/** A session may have ended since it was found. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Mounts a disk of this many megabytes on the folder; undefined if this user may not mount one. */
export function makeSmallDisk(folder: string, megabytes: number): (() => void) | undefined {
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0711`, "tmpfs", folder];
  if (spawnSync("mount", options).status !== 0) return undefined;
  return () => void spawnSync("umount", ["-l", folder]);
}

async function runOn(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function spawnServer(home: Home, folder: string, port: number): ChildProcess {
  const log = openSync(join(folder, "store.log"), "a", 0o600);
  const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  return spawn(join(home.binaries, "bin", "postgres"), ["-D", home.cluster, ...options], {
    ...home.owner,
    cwd: folder,
    env: postgresEnvironment,
    stdio: ["ignore", log, log],
  });
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await runOn(url, "select 1");
      return;
    } catch (error) {
      if (tries > 500) throw error;
      await pause(20);
    }
  }
}

export async function startServer(folder: string): Promise<Server> {
  const home: Home = prepareHome(folder, false);
  const port = await freePort();
  const url = `postgres://gatehouse@127.0.0.1:${port}/postgres`;
  const filler = join(folder, "filler");
  let child = spawnServer(home, folder, port);
  await untilReady(url);
  return {
    url,
    run: (text) => runOn(url, text),
    async start() {
      child = spawnServer(home, folder, port);
      await untilReady(url);
    },
    async stop(signal) {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
    async kill() {
      // It may have ended by itself, for example because another program has taken its port.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      const pid = child.pid ?? 0;
      for (const one of [pid, ...childrenOf(pid)]) signalIfThere(one, "SIGKILL");
      await ended;
    },
    signalAll(signal) {
      const pid = child.pid ?? 0;
      for (const one of [pid, ...childrenOf(pid)]) signalIfThere(one, signal);
    },
    async fill() {
      const file = await open(filler, "w");
      const { bavail, bsize } = statfsSync(folder);
      await file.write(Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
      await file.close();
    },
    clear() {
      if (existsSync(filler)) rmSync(filler);
    },
  };
}
