/*
 * Password hashes that an import may bring, as modular-crypt or PHC strings:
 *
 *     bcrypt   $2b$12$<22 characters of salt><31 of hash>
 *     scrypt   $scrypt$ln=15,r=8,p=1$<salt>$<hash>
 *     PBKDF2   $pbkdf2-sha256$i=600000$<salt>$<hash>        (passlib's $pbkdf2-sha256$600000$... too)
 *     argon2   $argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>
 *
 * Salts and hashes are base64, with or without padding; passlib writes "." for "+". An import accepts what costs at most four of our
 * hashes to verify, and in a sandbox one. Costs are counted in those, as measured in CPU time (Node.js 20, x64). Hashes that were stored
 * before that limit are still verified, up to about half a second and 64 MiB each.
 */

/** The computation that verifies a password. */
export type Verification = {
  /** Its cost, in units of one own hash. */
  ownHashes: number;
} & (
  | { kind: "argon2" | "bcrypt"; stored: string }
  | {
      kind: "scrypt";
      cost: number;
      blockSize: number;
      parallelism: number;
      salt: Uint8Array;
      hash: Uint8Array;
    }
  | { kind: "pbkdf2"; digest: string; iterations: number; salt: Uint8Array; hash: Uint8Array }
);

/** The work that takes as long as one of our hashes: 2^cost, N x r x p, rounds over all blocks, KiB x passes. */
const workOfOurs = {
  bcrypt: 2 ** 8,
  scrypt: 2 ** 15,
  pbkdf2: { sha1: 50_000, sha256: 50_000, sha512: 25_000 } as Readonly<Record<string, number>>,
  argon2: 19_456 * 2,
};

const maxTextLength = 512;
const maxBcryptCost = 13;
const maxScryptBytes = 64 * 1024 * 1024;
const maxScryptWork = 2 ** 20;
const maxIterations = 1_000_000;
/** Bytes: RFC 9106, 3.1. */
const minArgon2Salt = 8;
const maxArgon2KiB = 65_536;
const maxArgon2Work = 262_144;

/** The prefix of all our hashes: argon2id with 19 MiB, 2 passes, 1 lane. */
const ours = "$argon2id$v=19$m=19456,t=2,p=1$";

export const isOwnHash = (stored: string): boolean => stored.startsWith(ours);

const digestBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

const base64 = "([A-Za-z0-9+/.]{2,172})={0,2}";
const patterns = {
  bcrypt: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
  scrypt: new RegExp(
    `^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,3}),p=(\\d{1,3})\\$${base64}\\$${base64}$`,
  ),
  pbkdf2: new RegExp(
    `^\\$pbkdf2-(sha1|sha256|sha512)\\$(?:i=)?(\\d{1,8})(?:,l=\\d{1,3})?\\$${base64}\\$${base64}$`,
  ),
  argon2: new RegExp(
    `^\\$argon2(?:id|i|d)\\$v=19\\$m=([1-9]\\d{0,7}),t=([1-9]\\d{0,3}),p=([1-9]\\d{0,2})\\$${base64}\\$${base64}$`,
  ),
};

/** Salt and hash in bytes; undefined if they are too short to be secure, or unusually long. */
function saltAndHash(salt = "", hash = "") {
  const bytesOf = (text: string) =>
    Uint8Array.from(Buffer.from(text.replaceAll(".", "+"), "base64"));
  const found = { salt: bytesOf(salt), hash: bytesOf(hash) };
  const isUsable = found.salt.length <= 128 && found.hash.length >= 16 && found.hash.length <= 128;
  return isUsable ? found : undefined;
}

const isWithin = (value: number, min: number, max: number) => value >= min && value <= max;

function bcrypt(stored: string): Verification | undefined {
  const cost = patterns.bcrypt.exec(stored)?.[1];
  return cost !== undefined && isWithin(Number(cost), 4, maxBcryptCost)
    ? { kind: "bcrypt", stored, ownHashes: 2 ** Number(cost) / workOfOurs.bcrypt }
    : undefined;
}

function scrypt(stored: string): Verification | undefined {
  const match = patterns.scrypt.exec(stored);
  const [exponent = 0, blockSize = 0, parallelism = 0] = (match ?? []).slice(1, 4).map(Number);
  const bytes = saltAndHash(match?.[4], match?.[5]);
  const cost = 2 ** exponent;
  const work = cost * blockSize * parallelism;
  // RFC 7914, section 2: N is less than 2^(16 r), or no library computes it.
  const isBounded =
    isWithin(exponent, 1, Math.min(24, 16 * blockSize - 1)) &&
    isWithin(128 * cost * blockSize, 1, maxScryptBytes) &&
    isWithin(work, 1, maxScryptWork);
  const ownHashes = work / workOfOurs.scrypt;
  return bytes && isBounded
    ? { kind: "scrypt", cost, blockSize, parallelism, ownHashes, ...bytes }
    : undefined;
}

function pbkdf2(stored: string): Verification | undefined {
  const [, digest = "", count, salt, hash] = patterns.pbkdf2.exec(stored) ?? [];
  const bytes = saltAndHash(salt, hash);
  const iterations = Number(count ?? 0);
  // Every block of the output needs all iterations.
  const blocks = Math.ceil((bytes?.hash.length ?? 0) / (digestBytes[digest] ?? 1));
  const rounds = iterations * blocks;
  return bytes && isWithin(rounds, 1, maxIterations)
    ? {
        ...{ kind: "pbkdf2", digest, iterations, ...bytes },
        ownHashes: rounds / (workOfOurs.pbkdf2[digest] ?? 1),
      }
    : undefined;
}

/** Whether the library that verifies argon2 accepts the base64: canonical, without ".". */
const isReadable = (text = "") =>
  Buffer.from(text, "base64").toString("base64").replaceAll("=", "") === text;

function argon2(stored: string): Verification | undefined {
  const match = patterns.argon2.exec(stored);
  const [memory = 0, passes = 0, lanes = 0] = (match ?? []).slice(1, 4).map(Number);
  const isBounded =
    isReadable(match?.[4]) &&
    isReadable(match?.[5]) &&
    (saltAndHash(match?.[4], match?.[5])?.salt.length ?? 0) >= minArgon2Salt &&
    isWithin(lanes, 1, 8) &&
    isWithin(memory, 8 * lanes, maxArgon2KiB) &&
    isWithin(memory * passes, 1, maxArgon2Work);
  // The library that verifies it accepts no padding.
  const bare = stored.replace(/=+(?=\$|$)/g, "");
  return isBounded
    ? { kind: "argon2", stored: bare, ownHashes: (memory * passes) / workOfOurs.argon2 }
    : undefined;
}

/** How a password is verified against the hash; undefined for a format or a cost that is not accepted. */
export function verificationOf(stored: string): Verification | undefined {
  if (stored.length > maxTextLength) return undefined;
  return argon2(stored) ?? bcrypt(stored) ?? scrypt(stored) ?? pbkdf2(stored);
}

/** The maximum cost of an imported hash, in units of one own hash. */
export const maxImportedCost = { sandbox: 1, other: 4 };

/** The most of each kind that costs this many of our own hashes. */
const largestOf = (ownHashes: number) =>
  [
    `bcrypt ${Math.log2(workOfOurs.bcrypt * ownHashes)}`,
    `scrypt N x r x p ${workOfOurs.scrypt * ownHashes}`,
    `PBKDF2 ${(workOfOurs.pbkdf2.sha256 ?? 0) * ownHashes} rounds (SHA-512 ${(workOfOurs.pbkdf2.sha512 ?? 0) * ownHashes})`,
    `argon2 KiB x passes ${workOfOurs.argon2 * ownHashes}`,
  ].join(", ");

/** Why an import rejects the hash; undefined if it is accepted. */
export function importFault(stored: string, maxOwnHashes: number): string | undefined {
  const found = verificationOf(stored);
  if (!found)
    return "/passwordHash must be a bcrypt, scrypt, PBKDF2 or argon2 hash in modular-crypt or PHC format, with parameters that can be computed.";
  if (found.ownHashes <= maxOwnHashes) return undefined;
  return `/passwordHash is too costly to verify. At most: ${largestOf(maxOwnHashes)}. Leave it out, and have the customer set a password.`;
}
