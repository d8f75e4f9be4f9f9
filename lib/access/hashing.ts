import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { hashBehind, verifyBehind } from "./hashing-threads";

/** argon2id with 19 MiB, 2 passes, 1 lane. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More at once than there are cores would finish none sooner, and would leave none for answering. */
const atOnce = Math.min(4, Math.max(2, availableParallelism()));
/** Shoppers never take the last place: an administrator can always sign in. */
const atOnceForShoppers = atOnce - 1;
const maxQueue = 64;
const maxWaitMs = 1000;

export type Plane = "management" | "consumer";

interface QueuedHash {
  plane: Plane;
  start: () => void;
}

interface Queue {
  running: number;
  waiting: QueuedHash[];
  /** Compared with when a login is unknown. */
  dummyHash: Promise<string> | undefined;
}

const queue = perProcess<Queue>("hashing", () => ({
  running: 0,
  waiting: [],
  dummyHash: undefined,
}));

const hasPlace = (plane: Plane) =>
  queue().running < (plane === "management" ? atOnce : atOnceForShoppers);

function busy(): ApiError {
  return new ApiError(
    "auth.busy",
    "Too many sign-ins are being checked. Try again in a few seconds.",
    undefined,
    {
      headers: { "Retry-After": "2" },
    },
  );
}

/** For measurements. */
export const hashingState = (): { running: number; waiting: number } => ({
  running: queue().running,
  waiting: queue().waiting.length,
});

/** Throws 503 when a hash would not even find a place to wait: asked before anything is read for a sign-in. */
export function checkRoom(): void {
  if (queue().waiting.length >= maxQueue) throw busy();
}

/** Takes a place among the hashes that run, or waits for one for a second at most. Throws 503. */
async function enter(plane: Plane): Promise<void> {
  const { waiting } = queue();
  if (hasPlace(plane) && !waiting.some((one) => one.plane === plane)) {
    queue().running += 1;
    return;
  }
  checkRoom();
  await new Promise<void>((resolve, reject) => {
    const entry: QueuedHash = { plane, start: resolve };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1);
      reject(busy());
    }, maxWaitMs);
    entry.start = () => {
      clearTimeout(timer);
      queue().running += 1;
      resolve();
    };
    waiting.push(entry);
  });
}

function leave(): void {
  const { waiting } = queue();
  queue().running -= 1;
  const next = waiting.findIndex((one) => hasPlace(one.plane));
  if (next >= 0) waiting.splice(next, 1)[0]?.start();
}

async function within<T>(plane: Plane, work: () => Promise<T>): Promise<T> {
  await enter(plane);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Shoppers' hashes leave the cores to whoever answers; an administrator is never kept waiting behind the shop's readers. */
const byPlane = {
  management: { hash, verify },
  consumer: { hash: hashBehind, verify: verifyBehind },
};

/**
 * The form in which passwords are hashed and compared: one keyboard gives "ü" as one character, another as "u" and two dots, and both
 * are the same password (NIST SP 800-63B).
 */
export const passwordForm = (password: string): string => password.normalize("NFC");

/** An argon2id hash in PHC form. */
export function hashPassword(plane: Plane, password: string): Promise<string> {
  return within(plane, () => byPlane[plane].hash(passwordForm(password), cost));
}

/** "as typed": the hash is of the password as its owner types it, and not of its NFC. It is to be hashed anew. */
export type PasswordMatch = "none" | "right" | "as typed";

/**
 * How the password matches. Without a hash, or with an empty one, the same work is done for nothing: an unknown login takes as long
 * as a known one. A second comparison is made only for a text that is not in NFC, in the same place of the queue.
 */
export async function matchPassword(
  plane: Plane,
  stored: string | null | undefined,
  password: string,
): Promise<PasswordMatch> {
  const current = queue();
  current.dummyHash ??= hash("a password that nobody has", cost);
  const against = stored || (await current.dummyHash);
  const composed = passwordForm(password);
  const match = await within(plane, async (): Promise<PasswordMatch> => {
    const { verify: compare } = byPlane[plane];
    if (await compare(against, composed)) return "right";
    return composed !== password && (await compare(against, password)) ? "as typed" : "none";
  });
  return stored ? match : "none";
}

/** Whether the password is right, for what replaces its hash anyway. */
export const verifyPassword = async (
  plane: Plane,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> => (await matchPassword(plane, stored, password)) !== "none";
