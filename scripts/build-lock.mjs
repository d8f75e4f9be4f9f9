import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const retryMs = 100;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates the file with this process's id; false while another running process has it. */
function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = read(file);
  // An empty file was just created and has no process id yet.
  if (holder && !isAlive(Number(holder)) && read(file) === holder) rmSync(file, { force: true });
  return false;
}

/** Runs the work while no other process runs work with the same lock file. The lock of a killed process is taken over. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!tryLock(file)) await pause(retryMs);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
