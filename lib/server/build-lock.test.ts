import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-lock-"));
const [lock, record] = [join(folder, "lock"), join(folder, "record")];
const script = pathToFileURL(join(projectRoot(), "scripts", "build-lock.mjs")).href;
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that records when it gets the lock, and when it releases it 50 ms later. */
async function runLocked(): Promise<number | null> {
  const program = `
    import { appendFileSync } from "node:fs";
    import { setTimeout as pause } from "node:timers/promises";
    import { withLock } from ${JSON.stringify(script)};
    const note = (word) => appendFileSync(${JSON.stringify(record)}, word + " ");
    await withLock(${JSON.stringify(lock)}, async () => { note("begin"); await pause(50); note("end"); });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  const [code] = await once(child, "exit");
  return code;
}

test("one process builds at a time, also after one was killed during its build", async () => {
  const killed = spawn(process.execPath, ["-e", ""]);
  await once(killed, "exit");
  writeFileSync(lock, String(killed.pid));
  const codes = await Promise.all([runLocked(), runLocked(), runLocked()]);
  expect(codes).toEqual([0, 0, 0]);
  expect(readFileSync(record, "utf8")).toBe("begin end ".repeat(3));
});
