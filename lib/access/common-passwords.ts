import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";

/** Sorted prefixes of SHA-256 hashes, written by scripts/common-passwords.mjs, which also names the sources. */
const prefixBytes = 5;

const prefixes = perProcess("common-passwords", () =>
  readFileSync(join(projectRoot(), "lib", "access", "common-passwords.bin")),
);

/** How many passwords the list holds. */
export const countCommonPasswords = (): number => prefixes().length / prefixBytes;

/**
 * Whether a text in lower case is among the most common and breached passwords. One hash and a binary search over 1 MB; a
 * text that is not on the list is taken for one with a probability of 2e-7.
 */
export function isCommonPassword(text: string): boolean {
  const wanted = hash("sha256", text, "buffer").subarray(0, prefixBytes);
  let low = 0;
  let high = countCommonPasswords();
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle * prefixBytes;
    const order = prefixes().compare(wanted, 0, prefixBytes, start, start + prefixBytes);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
