import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readdir, readFile, rename, rm, rmdir, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { dataDir } from "@/lib/database/data-dir";
import type { RawCell } from "./recorder";

/** One second's counts of every tenant, as a file holds them. */
export interface SpoolBatch {
  seq: number;
  /** Milliseconds since the epoch: the minute that the calls belong to. */
  minute: number;
  /** When the first of them may have been counted. */
  since: number;
  tenants: [tenantId: string, cells: RawCell[]][];
}

/** A folder's owner renews it each second; one that was not renewed for so long has none. */
const leaseMs = 60_000;

const spoolDir = () => join(dataDir(), "spool", "metrics");

const own = `${hostname().replace(/[^A-Za-z0-9]/g, "")}-${process.pid}-${randomBytes(6).toString("hex")}`;

/** A folder of this process: its name is the source of its batches. */
export const newSpoolName = (): string => `${own}-${randomBytes(3).toString("hex")}`;

const fileOf = (name: string, seq: number) =>
  join(spoolDir(), name, `${String(seq).padStart(12, "0")}.json`);

/**
 * Writes a batch whole or not at all, readable by this user alone. Answers its size in bytes.
 * At once: the turns that five promises wait for take a busy process up to a second, and a kill then costs two.
 */
export function writeSpool(name: string, batch: SpoolBatch): number {
  const text = JSON.stringify(batch);
  const file = fileOf(name, batch.seq);
  mkdirSync(join(spoolDir(), name), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
  return text.length;
}

/** The sequence numbers of a folder's batches, the oldest first. */
export async function listSpool(name: string): Promise<number[]> {
  const files = await readdir(join(spoolDir(), name)).catch(() => []);
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => Number.parseInt(file, 10))
    .sort((a, b) => a - b);
}

/** A batch, or undefined when somebody else has finished it. */
export async function readSpool(name: string, seq: number): Promise<SpoolBatch | undefined> {
  const text = await readFile(fileOf(name, seq), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

export const deleteSpool = (name: string, seq: number): Promise<void> =>
  rm(fileOf(name, seq), { force: true });

/** Puts a batch that the store will never take where nobody sends it again. */
export const setAside = (name: string, seq: number): Promise<void> =>
  rename(fileOf(name, seq), `${fileOf(name, seq)}.refused`);

/** Says that the folder has an owner. */
export async function renewLease(name: string): Promise<void> {
  const now = new Date();
  await utimes(join(spoolDir(), name), now, now).catch(() => undefined);
}

/** Removes a folder that holds nothing any more. */
export const closeSpool = (name: string): Promise<void> =>
  rmdir(join(spoolDir(), name)).catch(() => undefined);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the folder's process is gone: at once where it ran here, after its lease where it ran elsewhere. */
async function isAbandoned(name: string): Promise<boolean> {
  const [host, pid] = name.split("-");
  const [here] = own.split("-");
  const isOurs = name.startsWith(`${own}-`);
  if (isOurs) return false;
  if (host === here && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  const { mtimeMs } = await stat(join(spoolDir(), name));
  return Date.now() - mtimeMs > leaseMs;
}

/** Folders that processes left behind which were killed. Sending them twice is harmless: each batch lands once. */
export async function abandonedSpools(): Promise<string[]> {
  const names = await readdir(spoolDir()).catch(() => []);
  const judged = await Promise.all(
    names.map(async (name) => ((await isAbandoned(name).catch(() => false)) ? [name] : [])),
  );
  return judged.flat();
}
