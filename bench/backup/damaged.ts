import { randomBytes, randomInt } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";

/** Flips one bit at a random place in this part of the file. */
function flip(path: string, from: number, to: number): void {
  const [file, at, byte] = [openSync(path, "r+"), randomInt(from, to), Buffer.alloc(1)];
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.from([byte.readUInt8() ^ (1 << randomInt(8))]), 0, 1, at);
  closeSync(file);
}

type Restore = (path: string, key: string) => Promise<number | null>;

/** Tries to restore damaged copies of the file, and the file with the wrong key; returns the attempts that were not rejected. */
export async function tryDamaged(file: string, key: string, restore: Restore): Promise<string[]> {
  const { size } = statSync(file);
  const copy = `${file}-damaged`;
  const damages: [string, () => void, string?][] = [
    ["another key", () => undefined, randomBytes(32).toString("base64")],
    ["no key", () => undefined, ""],
    ["cut by a byte", () => truncateSync(copy, size - 1)],
    ["cut somewhere", () => truncateSync(copy, randomInt(1, size))],
    ["a bit of its beginning flipped", () => flip(copy, 0, 64)],
    ["a bit somewhere flipped", () => flip(copy, 64, size - 64)],
    ["a bit of its end flipped", () => flip(copy, size - 64, size)],
  ];
  const accepted: string[] = [];
  for (const [name, damage, otherKey] of damages) {
    copyFileSync(file, copy);
    damage();
    if ((await restore(copy, otherKey ?? key)) !== 1) accepted.push(name);
  }
  rmSync(copy);
  return accepted;
}
