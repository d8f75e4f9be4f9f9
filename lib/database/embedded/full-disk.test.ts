import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { explainFailure } from "@/lib/server/failures";
import { startEmbedded } from "./embedded";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-full-"));
const disk = join(folder, "disk");
chmodSync(folder, 0o711);
mkdirSync(disk);
/** A separate small disk: only root can create one, and not in every container. */
const isMounted =
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=128m,mode=0711", "tmpfs", disk]).status === 0;

afterAll(() => {
  if (isMounted) spawnSync("umount", ["-l", disk]);
  rmSync(folder, { recursive: true });
});

function fill(leftBytes = 0): string {
  const filler = join(disk, "filler");
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - leftBytes));
  return filler;
}

if (isMounted)
  test("a first start without space for its store reports that first, and works once there is space", async () => {
    const other = join(disk, "other");
    mkdirSync(other, { mode: 0o711 });
    const filler = fill(24 * 1024 * 1024);
    const failure = await startEmbedded(other, { isThrowaway: true }).then(String, explainFailure);
    expect(failure.split("\n")[0]).toMatch(/^The disk .* is full\. Make room and start again/);
    rmSync(filler);
    await (await startEmbedded(other, { isThrowaway: true })).close();
    rmSync(other, { recursive: true });
  });

if (isMounted)
  test("a start on a full disk reports that first, and works once there is space", async () => {
    const start = () => startEmbedded(disk, { isThrowaway: true });
    await (await start()).close();
    const filler = fill();
    const failure = await start().then(String, explainFailure);
    expect(failure.split("\n")[0]).toMatch(/^The disk .* is full\. Make room and start again/);
    rmSync(filler);
    await (await start()).close();
  });

test("a start without space for a separate file reports that first", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  expect(explainFailure(error)).toMatch(/^The disk is full\. Make room and start again: ENOSPC/);
});
