import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Options } from "@node-rs/argon2";
import { projectRoot } from "@/lib/database/data-dir";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { type Verification, verificationOf } from "./password-hashes";

/** Threads without work. */
const idle = perProcess("hashing-threads", (): Worker[] => []);

interface Answer {
  value?: string | boolean;
  /** Why a library did not do it. */
  rejection?: string;
}

/** Gives work to a thread; one that ended meanwhile is forgotten. */
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
export async function hashBehind(password: string, cost: Options): Promise<string> {
  const { value, rejection } = await ask({ password, cost });
  if (typeof value !== "string") throw new Error(`A password was not hashed: ${rejection}`);
  return value;
}

/** Verifies in a thread of low priority. Nothing matches a hash that no library accepts. */
export async function verifyBehind(stored: string, password: string): Promise<boolean> {
  const verification = verificationOf(stored);
  if (!verification) return false;
  const { value, rejection } = await ask({ verification, password });
  if (rejection !== undefined)
    log().warn({ kind: verification.kind, rejection }, "a stored password hash cannot be verified");
  return value === true;
}
