import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JWK } from "jose";
import { addSigningKey, type SigningKeyRow, signingKeys } from "@/lib/database/global";
import { newId } from "@/lib/database/ids";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { openSealed, seal } from "./sealed";
import { trailKeySet } from "./secret-key";

const minute = 60_000;
const signsForMilliseconds = 30 * 24 * 60 * minute;
/** How long a new key is published before it signs: copies of the key set are a few minutes old at most. */
const aheadMilliseconds = 10 * minute;
/** No token lives longer than a day: an old key is served until its last token has ended. */
const servedMilliseconds = 24 * 60 * minute;
const readAgainMilliseconds = minute;
/** A token may name any key, so the store is not read for each unknown one. */
const unknownKeyMilliseconds = 2000;

/**
 * The purposes of keys, and the prefix of the `kid` of each. A key cannot serve the other purpose: its private key is sealed
 * with the `kid`, including the prefix.
 */
const prefixes = { consumer: "sig", management: "mgmt" } as const;
export type Purpose = keyof typeof prefixes;
const purposes = Object.keys(prefixes) as Purpose[];

interface SigningKey {
  kid: string;
  number: number;
  publicJwk: JWK;
  publicKey: KeyObject;
  /** Undefined if it was sealed under another secret: the public key still verifies. */
  privateKey: KeyObject | undefined;
  activeAt: number;
}

interface State {
  keys: SigningKey[];
  /** The highest number of all keys, served or not. */
  highest: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

const state = perProcess<State>("signing-keys", () => ({
  keys: [],
  highest: 0,
  readAt: Number.NEGATIVE_INFINITY,
  reading: undefined,
}));

function unseal(sealed: Buffer, kid: string): KeyObject | undefined {
  const der = openSealed(sealed, kid)?.bytes;
  return der && createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

const signs = (purpose: Purpose, kid: string) => kid.startsWith(`${prefixes[purpose]}_`);
const keysOf = (purpose: Purpose, keys: readonly SigningKey[]) =>
  keys.filter(({ kid }) => signs(purpose, kid));

async function newKey(purpose: Purpose, number: number, activeAt: Date): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const kid = newId(prefixes[purpose]);
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "ES256" };
  return {
    number,
    kid,
    publicKey: jwk,
    privateKey: seal(der, kid),
    createdAt: new Date(),
    activeAt,
  };
}

function open(row: SigningKeyRow, known: readonly SigningKey[]): SigningKey {
  const { kid, number, publicKey: publicJwk, activeAt } = row;
  const before = known.find((key) => key.kid === kid);
  if (before) return before;
  const publicKey = createPublicKey({ key: publicJwk, format: "jwk" });
  return {
    kid,
    number,
    publicJwk,
    publicKey,
    privateKey: unseal(row.privateKey, kid),
    activeAt: activeAt.getTime(),
  };
}

/** The keys of one purpose that are still served: the newest, and each whose successor has signed for less than a token's lifetime. */
function served(keys: readonly SigningKey[], now: number): SigningKey[] {
  return keys.filter(
    (_, index) =>
      (keys[index + 1]?.activeAt ?? Number.POSITIVE_INFINITY) + servedMilliseconds > now,
  );
}

const signer = (keys: readonly SigningKey[], now: number) =>
  keys.findLast((key) => key.privateKey && key.activeAt <= now);

async function readKeys(): Promise<void> {
  const readAt = performance.now();
  const rows = await signingKeys();
  const found = rows.map((row) => open(row, state().keys));
  // A private key that opens proves the key ours. One sealed under another process's newer secret is proved only there.
  const { isLost } = setting("SECRET_KEY_PREVIOUS");
  const opened = isLost ? found.filter((key) => key.privateKey !== undefined) : found;
  const keys = purposes.flatMap((purpose) => served(keysOf(purpose, opened), Date.now()));
  Object.assign(state(), { keys, highest: rows.at(-1)?.number ?? 0, readAt });
}

/** Adds a key, which signs at once if no other can, else after clients with a copy of the set have had time to fetch it. */
export async function rotateSigningKey(purpose: Purpose): Promise<void> {
  const now = Date.now();
  const known = keysOf(purpose, state().keys);
  const delay = signer(known, now) === undefined ? 0 : aheadMilliseconds;
  const isNew = ({ kid }: SigningKey) => known.every((key) => key.kid !== kid);
  // Another process may take the number first: its key is equally good if it is of this purpose.
  for (let tries = 0; tries < 5 && !keysOf(purpose, state().keys).some(isNew); tries += 1) {
    await addSigningKey(await newKey(purpose, state().highest + 1, new Date(now + delay)));
    await readKeys();
  }
}

function isDue(keys: readonly SigningKey[], now: number): boolean {
  const newest = keys.findLast((key) => key.privateKey);
  return newest === undefined || newest.activeAt + signsForMilliseconds <= now;
}

async function readOnce(): Promise<void> {
  const current = state();
  current.reading ??= (async () => {
    await readKeys();
    for (const purpose of purposes)
      if (isDue(keysOf(purpose, current.keys), Date.now())) await rotateSigningKey(purpose);
  })().finally(() => {
    current.reading = undefined;
  });
  await current.reading;
}

async function freshKeys(maxMs = readAgainMilliseconds): Promise<SigningKey[]> {
  const current = state();
  const age = performance.now() - current.readAt;
  if (current.keys.length === 0) await readOnce();
  // Keys live long: verification continues while the store is unavailable for a time.
  else if (age > maxMs) await readOnce().catch(() => undefined);
  return current.keys;
}

/** The key that signs now. Throws if the store is unavailable and no key was ever read. */
export async function currentSigningKey(
  purpose: Purpose,
): Promise<{ kid: string; privateKey: KeyObject }> {
  const key = signer(keysOf(purpose, await freshKeys()), Date.now());
  if (!key?.privateKey) throw new Error("There is no key to sign with.");
  return { kid: key.kid, privateKey: key.privateKey };
}

/** The public key with that id; undefined if it is no longer served, unknown, or of the other purpose. */
export async function verificationKey(
  purpose: Purpose,
  kid: string,
): Promise<KeyObject | undefined> {
  if (!signs(purpose, kid)) return undefined;
  const find = (keys: SigningKey[]) => keys.find((key) => key.kid === kid)?.publicKey;
  return find(await freshKeys()) ?? find(await freshKeys(unknownKeyMilliseconds));
}

/** Whether the key is still served; otherwise a token of it that was verified before is verified again. */
export const isServed = (kid: string) => state().keys.some((key) => key.kid === kid);

/** The JSON Web Key Set (RFC 7517): the keys of both kinds of token, and after them those of the audit trail's signed heads. */
export async function keySet(): Promise<{ keys: JWK[] }> {
  return { keys: [...(await freshKeys()).map((key) => key.publicJwk), ...trailKeySet()] };
}
