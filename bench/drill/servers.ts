import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The user that PostgreSQL servers of the drills run as. */
export interface User {
  uid?: number;
  gid?: number;
}

/** PostgreSQL does not run as root. */
export function postgresUser(): User {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  return uid && gid ? { uid, gid } : {};
}

/** Creates a folder that PostgreSQL's user owns. */
export function createOwnFolder(path: string, { uid, gid }: User): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  return path;
}

function childrenOf(pid: number): number[] {
  const found = spawnSync("ps", ["--ppid", String(pid), "-o", "pid="], { encoding: "utf8" });
  return found.stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended together with the previous process.
    }
  }
}

/** The process ids of the server of a data folder and of its children; empty if it is not running. */
export function processesOf(data: string): number[] {
  const pidFile = join(data, "postmaster.pid");
  const postmaster = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, "utf8"), 10) : 0;
  return postmaster > 0 ? [postmaster, ...childrenOf(postmaster)] : [];
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  patienceMilliseconds = 120_000,
): Promise<void> {
  for (const end = performance.now() + patienceMilliseconds; !(await isSo()); await pause(50))
    if (performance.now() > end) throw new Error(`It took too long until ${what}.`);
}
