import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { JWK } from "jose";
import { dataDir, makeDataDir } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";
import { decodeSecret } from "@/lib/protocol/setting-formats";
import { setting } from "@/lib/protocol/settings";

const newBytes = 32;

const stored = perProcess("secret-key", (): { source?: string; key?: Buffer } => ({}));

/** The secret from which every other key is derived: SECRET_KEY (hex, base64 or at least 32 raw bytes), else 32 bytes in DATA_DIR. */
export function secretKey(): Buffer {
  const given = setting("SECRET_KEY");
  if (given) return given;
  const source = dataDir();
  const { key } = stored();
  if (key && stored().source === source) return key;
  const read = storedKey();
  Object.assign(stored(), { source, key: read });
  return read;
}

/** The current secret first, then the former ones of SECRET_KEY_PREVIOUS. */
export const secretKeys = (): Buffer[] => [secretKey(), ...setting("SECRET_KEY_PREVIOUS").secrets];

const derived = (secret: Buffer, purpose: string, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, "gatehouse", purpose, length));

/** A key for one purpose (HKDF-SHA256), so that no two uses ever share key bytes. New signatures and encryption use it. */
export function deriveKey(purpose: string, length = 32): Buffer {
  return derived(secretKey(), purpose, length);
}

/** The current key for one purpose, then the former ones of SECRET_KEY_PREVIOUS: for data that was signed or encrypted before a rotation. */
export function deriveKeys(purpose: string, length = 32): Buffer[] {
  return secretKeys().map((secret) => derived(secret, purpose, length));
}

function storedKey(): Buffer {
  if (setting("DATABASE_URL") && process.env.NODE_ENV === "production") {
    throw new Error(
      "SECRET_KEY must be set when DATABASE_URL is: every instance needs the same one. Make one with: openssl rand -base64 32",
    );
  }
  makeDataDir(dataDir());
  const file = join(dataDir(), "secret-key");
  return readKey(file) ?? writeKey(file);
}

function readKey(file: string): Buffer | undefined {
  try {
    return decodeSecret(readFileSync(file, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`${file} cannot be used.`, { cause: error });
  }
}

/** A link never replaces a file, so of two processes that start at once one wins and both read the same key. */
function writeKey(file: string): Buffer {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  writeSync(handle, `${randomBytes(newBytes).toString("base64")}\n`);
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(file);
  if (key === undefined) throw new Error(`${file} was removed while it was being made.`);
  return key;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/**
 * The keys of the audit trail. From each SECRET_KEY (the current one and earlier ones) HKDF derives
 *
 *     "audit mac"    -> HMAC-SHA256 key of the entries, named in each entry by `keyId`
 *     "audit heads"  -> Ed25519 seed that signs the heads of the chains; its public half is in /.well-known/jwks.json as `kid` "trail-..."
 *
 * Nothing of them is stored, so that write access to the database is not enough to forge either.
 */
interface TrailKey {
  keyId: string;
  macKey: Buffer;
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  jwk: JWK;
}

/** The bytes before the 32 bytes of a seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Keys by a hash of the secret that they are derived from. */
const known = perProcess("trail-keys", () => new Map<string, TrailKey>());

function derive(secret: Buffer): TrailKey {
  const bytes = (purpose: string, length = 32) =>
    Buffer.from(hkdfSync("sha256", secret, "gatehouse", purpose, length));
  const der = Buffer.concat([pkcs8Prefix, bytes("audit heads")]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey);
  const { x = "" } = publicKey.export({ format: "jwk" });
  const kid = `trail-${createHash("sha256").update(x).digest("base64url").slice(0, 16)}`;
  const jwk = {
    kty: "OKP",
    crv: "Ed25519",
    x,
    kid,
    use: "sig",
    alg: "EdDSA",
    "x-purpose": "audit-heads",
  };
  return {
    keyId: bytes("audit key id", 8).toString("hex"),
    macKey: bytes("audit mac"),
    kid,
    privateKey,
    publicKey,
    jwk,
  };
}

function keyOf(secret: Buffer): TrailKey {
  const name = createHash("sha256").update(secret).digest("base64");
  const key = known().get(name) ?? derive(secret);
  known().set(name, key);
  return key;
}

const trailKeys = () => secretKeys().map(keyOf);

function currentKey(): TrailKey {
  const [key] = trailKeys();
  if (!key) throw new Error("No SECRET_KEY to derive the keys of the audit trail from.");
  return key;
}

/** The MAC of a text under the current key, and the id of that key. */
export function authenticate(text: string): { keyId: string; mac: Buffer } {
  const { keyId, macKey } = currentKey();
  return { keyId, mac: createHmac("sha256", macKey).update(text).digest() };
}

/** Whether the MAC is valid; undefined if its key is unknown here. */
export function isAuthentic(keyId: string, text: string, mac: Buffer): boolean | undefined {
  const key = trailKeys().find((one) => one.keyId === keyId);
  if (!key) return undefined;
  const expected = createHmac("sha256", key.macKey).update(text).digest();
  return expected.length === mac.length && timingSafeEqual(expected, mac);
}

/** The `kid` of the key that signs now. */
export const currentKid = () => currentKey().kid;

/** The `kid`s of the keys that SECRET_KEY_PREVIOUS gives. */
export const formerKids = () => {
  const current = currentKid();
  return trailKeys().flatMap(({ kid }) => (kid === current ? [] : [kid]));
};

/** The Ed25519 signature of a text under the current key. */
export const signText = (text: string) => sign(null, Buffer.from(text), currentKey().privateKey);

/** Whether the signature is valid; undefined if its key is unknown here. */
export function isSignedBy(kid: string, text: string, signature: Buffer): boolean | undefined {
  const key = trailKeys().find((one) => one.kid === kid);
  return key && verify(null, Buffer.from(text), key.publicKey, signature);
}

/** The public keys of signed heads, as published in the JSON Web Key Set. */
export const trailKeySet = (): JWK[] => trailKeys().map(({ jwk }) => jwk);
