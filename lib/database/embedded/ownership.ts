import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The user PostgreSQL runs as when that is not us: it refuses to run as root. */
export interface Owner {
  uid: number;
  gid: number;
}

const nobody: Owner = { uid: 65534, gid: 65534 };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Who runs PostgreSQL: undefined for ourselves; for root the owner of what is there already, else nobody. */
export function postgresOwner(cluster: string): Owner | undefined {
  if (!isRoot()) return undefined;
  const found = statSync(cluster, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? nobody : { uid: found.uid, gid: found.gid };
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

/** Makes a folder with exactly this mode and owner, whatever the umask; one that is there already must be ours or the owner's. */
export function makeFolder(path: string, mode: number, owner?: Owner): void {
  mkdirSync(path, { recursive: true, mode });
  const found = lstatSync(path);
  const isOurs = found.uid === process.getuid?.();
  if (!found.isDirectory() || (!isOurs && found.uid !== owner?.uid) || (found.mode & 0o022) !== 0)
    throw new Error(`${path} belongs to somebody else.`);
  if (isOurs) chmodSync(path, mode);
  if (isOurs && owner !== undefined) chownSync(path, owner.uid, owner.gid);
}
