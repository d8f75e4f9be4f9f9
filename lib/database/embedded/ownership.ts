import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The user that PostgreSQL runs as if this process is root, because it cannot run as root. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Shared by everything that runs as nobody: earlier releases ran PostgreSQL as this user. */
export const nobody: Owner = { uid: 65534, gid: 65534 };

/** Ids that neither distributions nor systemd assign. */
const privateIds = { first: 60_706, count: 478 } as const;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that runs PostgreSQL: undefined for our own; for root the owner of the existing cluster, else an unused user id. */
export function postgresOwner(cluster: string): Owner | undefined {
  if (!isRoot()) return undefined;
  const found = statSync(cluster, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0) return privateOwner(cluster);
  return { uid: found.uid, gid: found.gid };
}

/** An id without an account or process, always the same for a cluster. If the container has no such id, that of nobody. */
export function privateOwner(cluster: string, running = runningUsers()): Owner {
  const accounts = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  const start = createHash("sha256").update(cluster).digest().readUInt16BE();
  for (let step = 0; step < privateIds.count; step += 1) {
    const uid = privateIds.first + ((start + step) % privateIds.count);
    const isTaken = new RegExp(`^[^:]*:[^:]*:${uid}:`, "m").test(accounts) || running.has(uid);
    if (!isTaken && isMapped(uid)) return { uid, gid: uid };
  }
  return nobody;
}

function runningUsers(): Set<number> {
  if (process.platform !== "linux") return new Set();
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Set(
    processes.flatMap((name) => statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid ?? []),
  );
}

/** In a user namespace only some ids exist. */
function isMapped(uid: number): boolean {
  if (!existsSync("/proc/self/uid_map")) return true;
  const ranges = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n");
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
    return uid >= first && uid < first + count;
  });
}

/** Changes a data directory owned by `nobody` to our own user. Its server must not be running. */
export function takeFromNobody(cluster: string, sockets: string): Owner | undefined {
  const found = postgresOwner(cluster);
  if (found?.uid !== nobody.uid) return found;
  // Processes that do this at the same time get the same result.
  const owner = privateOwner(cluster, new Set());
  rmSync(sockets, { recursive: true, force: true });
  handOver(cluster, owner);
  return owner;
}

/** Changes the owner of a folder and its content. The folder is last, so that an interrupted run starts again. */
export function handOver(folder: string, owner: Owner): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) handOver(path, owner);
    else lchownSync(path, owner.uid, owner.gid);
  }
  lchownSync(folder, owner.uid, owner.gid);
}

/** Whether the owner may do this (bits as in 0o5 = read and enter) with the path and pass through every folder above it. */
export function canReach(path: string, owner: Owner | undefined, bits = 0o1): boolean {
  if (owner === undefined) return true;
  const real = realpathSync(path);
  const wanted = real === path ? bits : bits | 0o1;
  return allows(real, owner, wanted) && (real === "/" || canReach(dirname(real), owner));
}

function allows(path: string, owner: Owner, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const shift = uid === owner.uid ? 6 : gid === owner.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/** Creates a folder with exactly this mode and owner, whatever the umask; an existing one must be ours or the owner's. */
export function makeFolder(path: string, mode: number, owner?: Owner): void {
  mkdirSync(path, { recursive: true, mode });
  const found = lstatSync(path);
  const isOurs = found.uid === process.getuid?.();
  if (!found.isDirectory() || (!isOurs && found.uid !== owner?.uid) || (found.mode & 0o022) !== 0)
    throw new Error(`${path} belongs to somebody else.`);
  if (isOurs) chmodSync(path, mode);
  if (isOurs && owner !== undefined) chownSync(path, owner.uid, owner.gid);
}
