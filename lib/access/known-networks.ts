import { createHmac } from "node:crypto";
import { and, desc, eq, notInArray } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { db, read, type Transaction } from "@/lib/database/open";
import { knownNetworks } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { networkAt } from "./address-ranges";
import { deriveKeys } from "./secret-key";

/** How long a network stays known after the last sign-in from it. */
const keptMilliseconds = 90 * 86_400_000;
const maxNetworks = 20;
/** Minimum time between two writes for a network with frequent sign-ins. */
const writtenAgainMilliseconds = 86_400_000;
const waitMilliseconds = 1000;
const maxWaiting = 5000;

/** "second-factor": networks where a person proved a second factor; `loginKey` is the person's id. */
export type LoginPlane = "management" | "consumer" | "second-factor";

interface Login {
  tenantId: string;
  plane: LoginPlane;
  loginKey: string;
}

interface From extends Login {
  address: string;
}

interface Noted {
  tenantId: string;
  loginHash: Buffer;
  networkHash: Buffer;
}

interface State {
  /** Milliseconds since the epoch of the last sign-in that this process noted. */
  seen: LRUCache<string, number>;
  waiting: Map<string, Noted>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

const state = perProcess<State>("known-networks", () => ({
  seen: new LRUCache({ max: 20_000 }),
  waiting: new Map(),
  timer: undefined,
  writing: Promise.resolve(),
}));

/** Keyed, so that a reader of the table cannot test logins or addresses against it. */
const hashBy = (key: Buffer, ...parts: string[]) =>
  createHmac("sha256", key).update(parts.join("\0")).digest();
const keys = () => deriveKeys("known-networks");

const loginHashes = ({ tenantId, plane, loginKey }: Login) =>
  keys().map((key) => hashBy(key, tenantId, plane, loginKey));

/** Hashes by the current key first, then by the keys before SECRET_KEY was rotated. */
function notesOf(from: From): [Noted, ...Noted[]] {
  const { tenantId, plane, loginKey } = from;
  const network = networkAt(from.address, "network") ?? "";
  const noteBy = (key: Buffer): Noted => ({
    tenantId,
    loginHash: hashBy(key, tenantId, plane, loginKey),
    networkHash: hashBy(key, tenantId, network),
  });
  const [present, ...former] = keys();
  if (present === undefined) throw new Error("There is no secret key.");
  return [noteBy(present), ...former.map(noteBy)];
}

const keyOf = ({ loginHash, networkHash }: Noted) =>
  `${loginHash.toString("latin1")}${networkHash.toString("latin1")}`;

/** Call after a sign-in: the network is written after the response. */
export function rememberNetwork(from: From): void {
  const { seen, waiting } = state();
  const [noted] = notesOf(from);
  const key = keyOf(noted);
  const now = Date.now();
  if (now - (seen.get(key) ?? 0) < writtenAgainMilliseconds || waiting.size >= maxWaiting) return;
  seen.set(key, now);
  waiting.set(key, noted);
  state().timer ??= setTimeout(() => void flushNetworks(), waitMilliseconds).unref();
}

const known = `select true as "isKnown" from known_networks
  where tenant_id = $1 and login_hash = any($2) and network_hash = any($3) and last_seen_at > $4`;

/** Whether there was a sign-in with this login from this network within 90 days. */
export async function isKnownNetwork(from: From): Promise<boolean> {
  const notes = notesOf(from);
  if (state().seen.has(keyOf(notes[0]))) return true;
  const since = new Date(Date.now() - keptMilliseconds);
  const hashes = [notes.map((note) => note.loginHash), notes.map((note) => note.networkHash)];
  const rows = await read<{ isKnown: boolean }>("known-network", known, [
    from.tenantId,
    ...hashes,
    since,
  ]);
  return rows.length > 0;
}

const ofLogin = (tenantId: string, loginHash: Buffer) =>
  and(eq(knownNetworks.tenantId, tenantId), eq(knownNetworks.loginHash, loginHash));

/** Writes the network and deletes the least recently used ones. */
async function write({ tenantId, loginHash, networkHash }: Noted): Promise<void> {
  const lastSeenAt = new Date();
  await db()
    .insert(knownNetworks)
    .values({ tenantId, loginHash, networkHash, lastSeenAt })
    .onConflictDoUpdate({
      target: [knownNetworks.tenantId, knownNetworks.loginHash, knownNetworks.networkHash],
      set: { lastSeenAt },
    });
  const newest = await db()
    .select({ networkHash: knownNetworks.networkHash })
    .from(knownNetworks)
    .where(ofLogin(tenantId, loginHash))
    .orderBy(desc(knownNetworks.lastSeenAt))
    .limit(maxNetworks + 1);
  if (newest.length <= maxNetworks) return;
  const kept = newest.slice(0, maxNetworks).map((one) => one.networkHash);
  await db()
    .delete(knownNetworks)
    .where(and(ofLogin(tenantId, loginHash), notInArray(knownNetworks.networkHash, kept)));
}

/** Writes the waiting networks, after any write in progress. A failed one is noted again with the next sign-in. */
export function flushNetworks(): Promise<void> {
  const current = state();
  current.writing = current.writing.then(writeWaiting);
  return current.writing;
}

async function writeWaiting(): Promise<void> {
  const current = state();
  clearTimeout(current.timer);
  const due = [...current.waiting];
  Object.assign(current, { waiting: new Map(), timer: undefined });
  for (const [key, noted] of due) {
    await write(noted).catch((error: unknown) => {
      current.seen.delete(key);
      log().warn({ err: error }, "a network that signed in was not written");
    });
  }
}

/** Deletes the known networks of a login, in the transaction that deletes the login. */
export async function forgetNetworks(tx: Transaction, login: Login): Promise<void> {
  for (const loginHash of loginHashes(login))
    await tx.delete(knownNetworks).where(ofLogin(login.tenantId, loginHash));
}
