import { randomInt } from "node:crypto";

/*
 * A count-min sketch: approximate counts per key in constant memory.
 *
 *   key --hash A--> row A [ . . 7 . . . ]
 *       --hash B--> row B [ . 9 . . . . ]     count(key) = min(7, 9)
 *
 * A count is never too low. It is too high only where both slots are shared with busier keys, which takes many
 * more distinct keys than slots. Nothing is evicted, so no caller can evict another one's count, and a caller
 * with any number of addresses cannot make it grow. The seeds are random, so no caller can choose keys that
 * share slots. O(1) per operation, 256 KiB in all.
 * Source: Cormode and Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch", 2005.
 */

const slots = 1 << 16;

export interface CountSketch {
  /** Adds one and returns the new count. */
  add(key: string): number;
  count(key: string): number;
  /** Sets every count to 0 and takes new seeds. */
  clear(): void;
}

/** FNV-1a with a seed, and a final mix (MurmurHash3) so that every bit of the key reaches the low bits. */
function slotOf(key: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (slots - 1);
}

export function createCountSketch(): CountSketch {
  const [rowA, rowB] = [new Uint16Array(slots), new Uint16Array(slots)];
  const newSeed = () => randomInt(2 ** 32);
  let [seedA, seedB] = [newSeed(), newSeed()];
  const bump = (row: Uint16Array, slot: number) => {
    const next = Math.min((row[slot] ?? 0) + 1, 0xffff);
    row[slot] = next;
    return next;
  };
  return {
    add: (key) => Math.min(bump(rowA, slotOf(key, seedA)), bump(rowB, slotOf(key, seedB))),
    count: (key) => Math.min(rowA[slotOf(key, seedA)] ?? 0, rowB[slotOf(key, seedB)] ?? 0),
    clear() {
      rowA.fill(0);
      rowB.fill(0);
      [seedA, seedB] = [newSeed(), newSeed()];
    },
  };
}
