import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { publicUrl } from "@/lib/protocol/settings";

/*
 * A software authenticator by the Web Authentication standard: real keys, real signatures, P-256. Tests can make one property of its
 * responses wrong at a time.
 */

/** Deviations from the correct response of an authenticator or a browser. */
export interface Deviation {
  origin?: string;
  host?: string;
  type?: string;
  crossOrigin?: boolean;
  isVerified?: boolean;
  count?: number;
  userHandle?: string;
  /** Signs with another key. */
  isForged?: boolean;
  /** An unrequested attestation statement: the format, and certificates in DER. */
  statement?: { format: string; certificates: Buffer[] };
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString("base64url");

/** A minimal CBOR encoder. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const binary = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const map = (...members: [Buffer, Buffer][]) =>
  Buffer.concat([head(5, members.length), ...members.flat()]);
const list = (items: Buffer[]) => Buffer.concat([head(4, items.length), ...items]);

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

function coseOf(publicKey: ReturnType<typeof newKey>["publicKey"]): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return map(
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), binary(Buffer.from(x, "base64url"))],
    [number(-3), binary(Buffer.from(y, "base64url"))],
  );
}

const clientData = (challenge: string, type: string, given: Deviation) =>
  Buffer.from(
    JSON.stringify({
      type: given.type ?? type,
      challenge,
      origin: given.origin ?? new URL(publicUrl()).origin,
      crossOrigin: given.crossOrigin ?? false,
    }),
  );

function authenticatorData(count: number, given: Deviation, attested?: Buffer): Buffer {
  const flags = 1 | (given.isVerified === false ? 0 : 4) | (attested ? 64 : 0);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(given.count ?? count);
  const host = given.host ?? new URL(publicUrl()).hostname;
  const parts = [sha256(host), Buffer.from([flags]), counter];
  return Buffer.concat(attested ? [...parts, attested] : parts);
}

/** A passkey and its device. Each use increments the counter, from 1 on; a synced one remains at 0. */
export function newAuthenticator({ isSynced = false } = {}) {
  const { publicKey, privateKey } = newKey();
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);
  const named = { id, rawId: id, type: "public-key" as const };
  let uses = 0;
  let handle: string | undefined;
  const count = () => {
    uses += isSynced ? 0 : 1;
    return uses;
  };
  return {
    id,
    /** The result of navigator.credentials.create(). */
    create(options: { challenge: string; user: { id: string } }, given: Deviation = {}) {
      handle = options.user.id;
      const length = Buffer.from([0, credentialId.length]);
      const parts = [Buffer.alloc(16), length, credentialId, coseOf(publicKey)];
      const data = authenticatorData(count(), given, Buffer.concat(parts));
      const { format = "none", certificates } = given.statement ?? {};
      const chain = certificates && ([text("x5c"), list(certificates.map(binary))] as const);
      const attestation = map(
        [text("fmt"), text(format)],
        [text("attStmt"), chain ? map([...chain]) : map()],
        [text("authData"), binary(data)],
      );
      const client = clientData(options.challenge, "webauthn.create", given);
      const made = { clientDataJSON: base64url(client), attestationObject: base64url(attestation) };
      return { ...named, response: { ...made, transports: ["internal", "hybrid"] } };
    },
    /** The result of navigator.credentials.get(). */
    get({ challenge }: { challenge: string }, given: Deviation = {}) {
      const data = authenticatorData(count(), given);
      const client = clientData(challenge, "webauthn.get", given);
      const key = given.isForged ? newKey().privateKey : privateKey;
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), key);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(handle !== undefined && { userHandle: given.userHandle ?? handle }),
        },
      };
    },
  };
}
