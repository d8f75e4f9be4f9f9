import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { JWK } from "jose";
import { secretKeys } from "@/lib/access/secret-key";
import { perProcess } from "@/lib/protocol/per-process";

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

/** What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** By a hash of the secret they are derived from. */
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

/** Whether the MAC is right; undefined when its key is unknown here. */
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

/** Whether the signature is right; undefined when its key is unknown here. */
export function isSignedBy(kid: string, text: string, signature: Buffer): boolean | undefined {
  const key = trailKeys().find((one) => one.kid === kid);
  return key && verify(null, Buffer.from(text), key.publicKey, signature);
}

/** The public keys of signed heads, as they stand in the JSON Web Key Set. */
export const trailKeySet = (): JWK[] => trailKeys().map(({ jwk }) => jwk);
