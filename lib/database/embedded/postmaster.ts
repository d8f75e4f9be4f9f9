import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setting } from "@/lib/protocol/settings";
import { type Home, postgresEnvironment } from "./home";
import { makeFolder } from "./ownership";

export interface Postmaster {
  pid: number;
  isReady: boolean;
  sockets: string;
}

/** The server that runs on this cluster, if any. Removes the remains of a killed one. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const [pid, lines] = readLock(join(cluster, "postmaster.pid"), cluster);
  return pid === undefined
    ? undefined
    : { pid, sockets: lines[4] ?? "", isReady: lines[7]?.trim() === "ready" };
}

/** A server writes its lock file right after creating it: an older one without a process id is incomplete. */
const writingMilliseconds = 2000;

/** The process that a lock file of this cluster's server names, and the file's lines. A lock without its server is removed. */
function readLock(file: string, cluster: string): [number | undefined, string[]] {
  const lines = readLines(file);
  if (lines === undefined) return [undefined, []];
  const pid = Number(lines[0]);
  const isNumber = Number.isInteger(pid) && pid > 0;
  // A copied cluster has the lock file of the original's server.
  const isOfThis = lines[1] === undefined || samePath(lines[1], cluster);
  if (isNumber && isOfThis && isPostmaster(pid, cluster)) return [pid, lines];
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isCutShort = !isNumber && Date.now() - madeAt > writingMilliseconds;
  if ((isNumber || isCutShort) && readLines(file)?.[0] === lines[0]) rmSync(file, { force: true });
  return [undefined, []];
}

function readLines(file: string): string[] | undefined {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether this process is the cluster's server. After a restart of the machine or the container another process may have the id: one
 * that we may not signal is another user's (PostgreSQL checks the same), else its working folder or its command line decides.
 */
function isPostmaster(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch (error) {
    // A container's root may not be allowed to inspect another user's process.
    return codeOf(error) === "EACCES" && isStartedOn(pid, cluster);
  }
}

function isStartedOn(pid: number, cluster: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(cluster);
  } catch {
    return false;
  }
}

function samePath(path: string, other: string): boolean {
  return path === other || (existsSync(path) && realpathSync(path) === realpathSync(other));
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** Starts the server in a separate process group, so that Ctrl-C ends it through this process and requests in flight can finish. */
export function spawnPostmaster(home: Home, isThrowaway: boolean): ChildProcess {
  if ((statSync(home.log, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000)
    truncateSync(home.log);
  makeFolder(home.sockets, 0o700, home.owner);
  readLock(join(home.sockets, ".s.PGSQL.5432.lock"), home.cluster);
  const log = openSync(home.log, "a", 0o600);
  const settings = Object.entries({
    ...tuning,
    max_connections: connectionsOfOne + (setting("WORKERS") - 1) * connectionsOfFurther,
    ...(isThrowaway ? unsafe : {}),
    unix_socket_directories: home.sockets,
  });
  const options = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(home.binaries, "bin", "postgres"), ["-D", home.cluster, ...options], {
    ...home.owner,
    cwd: dirname(home.cluster),
    env: postgresEnvironment,
    detached: true,
    stdio: ["ignore", log, log],
  });
  child.on("error", () => undefined);
  child.unref();
  closeSync(log);
  return child;
}

/** Connections of one process, of a second one and commands that run at the same time, and of each further worker process. */
const connectionsOfOne = 60;
const connectionsOfFurther = 30;

/** Settings for a small machine with two cores. Errors are logged without the statement and its values, which may be confidential. */
const tuning = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  superuser_reserved_connections: 3,
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  random_page_cost: 1.1,
  io_method: "sync",
  max_parallel_workers_per_gather: 0,
  max_worker_processes: 2,
  max_logical_replication_workers: 0,
  autovacuum_max_workers: 1,
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "512MB",
  checkpoint_completion_target: 0.9,
  fsync: "on",
  huge_pages: "off",
  log_min_messages: "warning",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_line_prefix: "%m [%p] ",
  cluster_name: "gatehouse",
};

/** For tests only: a crash of the machine may lose the data, and several test files have their own servers at the same time. */
const unsafe = {
  max_connections: 200,
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  autovacuum: "off",
};

/** Stops the server at once but cleanly, and waits until it has exited. Fails if it had to be killed. */
export async function stopPostmaster({
  cluster,
  sockets,
}: Pick<Home, "cluster" | "sockets">): Promise<void> {
  const found = findPostmaster(cluster);
  if (found === undefined) return;
  process.kill(found.pid, "SIGINT");
  for (const giveUpAt = Date.now() + 8_000; Date.now() < giveUpAt; await pause(10)) {
    if (findPostmaster(cluster)?.pid !== found.pid) return removeIfEmpty(sockets);
  }
  killPostmaster(cluster);
  throw new Error("The embedded PostgreSQL did not stop and was killed.");
}

/** Kills the server: committed data is recovered at the next start. A server stopped by a signal handles no other one. */
export function killPostmaster(cluster: string): void {
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    const found = findPostmaster(cluster);
    if (found === undefined) return;
    const backends = childrenOf(found.pid);
    process.kill(found.pid, signal);
    for (let tries = 0; tries < 50 && findPostmaster(cluster) !== undefined; tries += 1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    if (findPostmaster(cluster) === undefined) for (const pid of backends) killIfAlive(pid);
  }
}

/** The server's own processes. A stopped one would outlive it, and prevent the next server from starting. */
function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** The folder may be in the machine's temporary folder; a starting server already has its lock file there. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!existsSync(folder) || readdirSync(folder).length > 0) return;
    throw error;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
