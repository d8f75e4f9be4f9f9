import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { dataDir } from "@/lib/database/data-dir";
import { log } from "@/lib/protocol/log";
import { isProcessAlive } from "@/lib/protocol/processes";
import type { RawCell } from "./recorder";

/** The counts of one tick for all tenants: the content of a file. */
export interface SpoolBatch {
  seq: number;
  /** Milliseconds since the epoch: the minute that the calls belong to. */
  minute: number;
  /** When the first of them may have been counted. */
  since: number;
  tenants: [tenantId: string, cells: RawCell[]][];
}

/** A folder's owner renews it each second; a folder that was not renewed for this time is abandoned. */
const leaseMs = 60_000;

const spoolDir = () => join(dataDir(), "spool", "metrics");

const own = `${hostname().replace(/[^A-Za-z0-9]/g, "")}-${process.pid}-${randomBytes(6).toString("hex")}`;

/** A folder of this process: its name is the source of its batches. */
export const newSpoolName = (): string => `${own}-${randomBytes(3).toString("hex")}`;

const fileOf = (name: string, seq: number) =>
  join(spoolDir(), name, `${String(seq).padStart(12, "0")}.json`);

/**
 * Writes a batch whole or not at all, readable by this user only. Returns its size in bytes.
 * Synchronous: in a busy process five awaited promises take up to a second, and a kill would then cost two seconds of calls.
 */
export function writeSpool(name: string, batch: SpoolBatch): number {
  const text = JSON.stringify(batch);
  const file = fileOf(name, batch.seq);
  mkdirSync(join(spoolDir(), name), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
  return text.length;
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a batch and its directory entry to disk. Does nothing for a batch that is already sent and deleted. */
export async function syncSpool(name: string, seq: number): Promise<void> {
  try {
    await syncPath(fileOf(name, seq));
    await syncPath(join(spoolDir(), name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

const filePattern = /^\d{12}\.json$/;

/** The sequence numbers of a folder's batches, the oldest first. */
export async function listSpool(name: string): Promise<number[]> {
  const files = await readdir(join(spoolDir(), name)).catch(() => []);
  return files
    .filter((file) => filePattern.test(file))
    .map((file) => Number.parseInt(file, 10))
    .sort((a, b) => a - b);
}

/** The folder for rejected batches, kept for inspection. */
const asideDir = () => join(dataDir(), "spool", "set-aside");
const maxAside = 100;

async function moveAside(name: string, file: string): Promise<void> {
  await mkdir(asideDir(), { recursive: true, mode: 0o700 });
  await rename(join(spoolDir(), name, file), join(asideDir(), `${Date.now()}-${name}-${file}`));
  const kept = (await readdir(asideDir())).sort();
  for (const old of kept.slice(0, -maxAside)) await rm(join(asideDir(), old), { force: true });
}

/** Moves a rejected batch out of the spool, so that it does not block others. */
export const setAside = (name: string, seq: number): Promise<void> =>
  moveAside(name, `${String(seq).padStart(12, "0")}.json`);

const isCell = (cell: unknown) =>
  typeof cell === "object" && cell !== null && "values" in cell && "count" in cell;

function isBatch(value: unknown, seq: number): value is SpoolBatch {
  const { seq: own, minute, tenants } = (value ?? {}) as Partial<SpoolBatch>;
  if (own !== seq || !Number.isInteger(minute) || !Array.isArray(tenants)) return false;
  return tenants.every(
    (entry) =>
      Array.isArray(entry) &&
      typeof entry[0] === "string" &&
      Array.isArray(entry[1]) &&
      entry[1].every(isCell),
  );
}

function parseBatch(text: string, seq: number): SpoolBatch | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBatch(value, seq) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A batch; undefined when another process has finished it, or when the file is damaged: then it is set aside and logged. */
export async function readSpool(name: string, seq: number): Promise<SpoolBatch | undefined> {
  const text = await readFile(fileOf(name, seq), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const batch = parseBatch(text, seq);
  if (batch) return batch;
  log().error(
    { file: `${name}/${seq}`, bytes: text.length, folder: asideDir() },
    "API metrics: a damaged spool file was set aside. The calls of up to one second in it are not counted.",
  );
  await setAside(name, seq).catch(() => undefined);
  return undefined;
}

export const deleteSpool = (name: string, seq: number): Promise<void> =>
  rm(fileOf(name, seq), { force: true });

/** Renews the owner's lease on the folder. */
export async function renewLease(name: string): Promise<void> {
  const now = new Date();
  await utimes(join(spoolDir(), name), now, now).catch(() => undefined);
}

/** Removes a folder whose batches are all sent. A file that a killed process left unfinished is set aside. */
export async function closeSpool(name: string): Promise<void> {
  const files = await readdir(join(spoolDir(), name)).catch(() => []);
  for (const file of files)
    if (!filePattern.test(file)) await moveAside(name, file).catch(() => undefined);
  await rmdir(join(spoolDir(), name)).catch(() => undefined);
}

/** Whether the folder's process has ended: known immediately for this machine, after the lease for others. */
async function isAbandoned(name: string): Promise<boolean> {
  const [host, pid] = name.split("-");
  const [here] = own.split("-");
  const isOurs = name.startsWith(`${own}-`);
  if (isOurs) return false;
  if (host === here && (Number(pid) === process.pid || !isProcessAlive(Number(pid)))) return true;
  const { mtimeMs } = await stat(join(spoolDir(), name));
  return Date.now() - mtimeMs > leaseMs;
}

/** Folders of killed processes. Sending them twice is harmless: each batch is counted once. */
export async function abandonedSpools(): Promise<string[]> {
  const names = await readdir(spoolDir()).catch(() => []);
  const checked = await Promise.all(
    names.map(async (name) => ((await isAbandoned(name).catch(() => false)) ? [name] : [])),
  );
  return checked.flat();
}
