import { hkdfSync, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { dataDir, makeDataDir } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";
import { decodeSecret } from "@/lib/protocol/secret-text";
import { setting } from "@/lib/protocol/settings";

const newBytes = 32;

const stored = perProcess("secret-key", (): { source?: string; key?: Buffer } => ({}));

/** The one secret every other key is derived from: SECRET_KEY (hex, base64 or at least 32 raw bytes), else 32 bytes kept in DATA_DIR. */
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

/** A key for one purpose (HKDF-SHA256), so that no two uses ever share key bytes. What is signed or encrypted again uses it. */
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
