import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { hash, type Options, verify } from "@node-rs/argon2";
import { LRUCache } from "lru-cache";
import { projectRoot } from "@/lib/database/data-dir";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { createHashingQueue, type HashingGroup, type HashingQueue } from "./hashing-queue";
import { isOwnHash, type Verification, verificationOf } from "./password-hashes";

/** Threads without work. */
const idle = perProcess("hashing-threads", (): Worker[] => []);

interface Answer {
  value?: string | boolean;
  /** The library's error, if it rejected the work. */
  rejection?: string;
}

/** Sends work to an idle or new thread, and waits for its answer. */
async function ask(work: {
  password: string;
  cost?: Options;
  verification?: Verification;
}): Promise<Answer> {
  const thread =
    idle().pop() ??
    new Worker(join(projectRoot(), "lib", "access", "hashing-thread.mjs"), { execArgv: [] });
  thread.ref();
  thread.postMessage(work);
  const [answer] = await once(thread, "message");
  thread.unref();
  idle().push(thread);
  return answer;
}

/** Hashes in a thread of low priority. */
async function hashBehind(password: string, cost: Options): Promise<string> {
  const { value, rejection } = await ask({ password, cost });
  if (typeof value !== "string") throw new Error(`A password was not hashed: ${rejection}`);
  return value;
}

/** Verifies in a thread of low priority. Nothing matches a hash that no library accepts. */
async function verifyBehind(stored: string, password: string): Promise<boolean> {
  const verification = verificationOf(stored);
  if (!verification) return false;
  const { value, rejection } = await ask({ verification, password });
  if (rejection !== undefined)
    log().warn({ kind: verification.kind, rejection }, "a stored password hash cannot be verified");
  return value === true;
}

/** argon2id with 19 MiB, 2 passes, 1 lane. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More hashes at once than cores would finish no sooner, and would leave no core for other requests. */
const places = Math.min(4, Math.max(2, availableParallelism()));
const maxWaiting = 64;
const maxWaitMs = 2000;
const maxProven = 10_000;

export type Plane = "management" | "consumer";

/** The plane and tenant that a password is hashed for. */
export interface HashingFor {
  plane: Plane;
  tenantId: string;
}

interface State {
  queue: HashingQueue;
  /** Tenants that this process knows to exist: all unknown names together share the places of one tenant. */
  proven: LRUCache<string, true>;
  /** The hash to compare with if a login is unknown. */
  dummyHash: Promise<string> | undefined;
  /** Whether hashes wait without a timeout. */
  isPatient: boolean;
}

const state = perProcess<State>("hashing", () => ({
  queue: createHashingQueue({ places, room: maxWaiting }),
  proven: new LRUCache({ max: maxProven }),
  dummyHash: undefined,
  isPatient: false,
}));

/** For a command: it has no callers to protect, and on a slow machine its hashes may take long. */
export function hashPatiently(): void {
  state().isPatient = true;
}

function busy(): ApiError {
  const detail = "Too many sign-ins are being checked. Try again in a few seconds.";
  return new ApiError("auth.busy", detail, undefined, { headers: { "Retry-After": "2" } });
}

/** For measurements. */
export const hashingState = (): { running: number; waiting: number } => ({
  running: state().queue.running(),
  waiting: state().queue.waiting(),
});

/** The group of a sign-in: it must not depend on whether the login exists, or the wait would reveal it. */
const groupOf = ({ plane, tenantId }: HashingFor): HashingGroup => ({
  lane: plane,
  tenantId: state().proven.has(tenantId) ? tenantId : "",
});

/** Throws 503 if the queue has no room for a hash: called before anything is read for a sign-in. */
export function checkRoom(who: HashingFor): void {
  if (!state().queue.hasRoom(groupOf(who))) throw busy();
}

/** Takes a place among the running hashes, or waits up to 2 seconds for one. Throws 503. */
function enter(group: HashingGroup): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      clearTimeout(timer);
      reject(busy());
    };
    let isStarted = false;
    const start = () => {
      isStarted = true;
      clearTimeout(timer);
      resolve();
    };
    const remove = state().queue.enter(group, start, giveUp);
    if (!remove) return giveUp();
    if (isStarted || state().isPatient) return;
    timer = setTimeout(() => {
      remove();
      giveUp();
    }, maxWaitMs);
  });
}

async function within<T>(group: HashingGroup, work: () => Promise<T>): Promise<T> {
  await enter(group);
  try {
    return await work();
  } finally {
    state().queue.leave(group);
  }
}

/** Shoppers' hashes run at low priority, so that threads that answer requests get the cores first; administrators' hashes do not. */
const byPlane = {
  management: { hash, verify },
  consumer: { hash: hashBehind, verify: verifyBehind },
};

/**
 * The form in which passwords are hashed and compared: one keyboard sends "ü" as one character, another as "u" and a combining mark,
 * and both are the same password (NIST SP 800-63B).
 */
export const passwordForm = (password: string): string => password.normalize("NFC");

/** An argon2id hash in PHC form. */
export async function hashPassword(who: HashingFor, password: string): Promise<string> {
  const { hash: make } = byPlane[who.plane];
  const hashed = await within(groupOf(who), () => make(passwordForm(password), cost));
  state().proven.set(who.tenantId, true);
  return hashed;
}

/** "as typed": the hash is of the password as its owner types it, not of its NFC form, and has to be replaced. */
export type PasswordMatch = "none" | "right" | "as typed";

/**
 * How the password matches. Without a usable hash it compares with a dummy hash, so that an unknown login takes as long as a known
 * one. A second comparison is made only for a text that is not in NFC, in the same place of the queue.
 */
export async function matchPassword(
  who: HashingFor,
  stored: string | null | undefined,
  password: string,
): Promise<PasswordMatch> {
  const current = state();
  current.dummyHash ??= hash("a password that nobody has", cost);
  const usable = stored && verificationOf(stored) ? stored : undefined;
  const against = usable ?? (await current.dummyHash);
  const isForeign = who.plane === "consumer" && !isOwnHash(against);
  const group: HashingGroup = { ...groupOf(who), ...(isForeign && { lane: "foreign" }) };
  const composed = passwordForm(password);
  const match = await within(group, async (): Promise<PasswordMatch> => {
    const { verify: compare } = byPlane[who.plane];
    if (await compare(against, composed)) return "right";
    return composed !== password && (await compare(against, password)) ? "as typed" : "none";
  });
  if (stored) current.proven.set(who.tenantId, true);
  return usable ? match : "none";
}

/** Whether the password is correct, for callers that replace its hash anyway. */
export const verifyPassword = async (
  who: HashingFor,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> => (await matchPassword(who, stored, password)) !== "none";
