import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Options } from "@node-rs/argon2";
import { projectRoot } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";
import { type Verification, verificationOf } from "./password-hashes";

/** Threads without work. */
const idle = perProcess("hashing-threads", (): Worker[] => []);

/** Gives work to a thread; one that failed at it has ended and is forgotten. */
async function ask(work: { password: string; cost?: Options; verification?: Verification }) {
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
export const hashBehind = (password: string, cost: Options): Promise<string> =>
  ask({ password, cost });

/** Verifies in a thread of low priority. Throws for a hash of a kind or cost that is not accepted: none is stored. */
export async function verifyBehind(stored: string, password: string): Promise<boolean> {
  const verification = verificationOf(stored);
  if (!verification) throw new Error("A stored password hash is of no kind that is accepted.");
  return ask({ verification, password });
}
