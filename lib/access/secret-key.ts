import { hkdfSync, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { dataDir, makeDataDir } from "@/lib/database/data-dir";

const leastBytes = 32;

declare global {
  var gatehouseSecretKey: { source: string; key: Buffer } | undefined;
}

/** The one secret every other key is derived from: SECRET_KEY (hex, base64 or at least 32 raw bytes), else 32 bytes kept in DATA_DIR. */
export function secretKey(): Buffer {
  const source = process.env.SECRET_KEY ? `env:${process.env.SECRET_KEY}` : `file:${dataDir()}`;
  if (globalThis.gatehouseSecretKey?.source !== source) {
    globalThis.gatehouseSecretKey = {
      source,
      key: process.env.SECRET_KEY ? decode(process.env.SECRET_KEY) : storedKey(),
    };
  }
  return globalThis.gatehouseSecretKey.key;
}

/** The current secret first, then earlier ones that still verify what was made with them. */
export function secretKeys(): Buffer[] {
  return [secretKey()];
}

/** The keys for one purpose, of the current secret first: the first one makes, all verify. */
export function deriveKeys(purpose: string, length = 32): Buffer[] {
  return secretKeys().map((secret) =>
    Buffer.from(hkdfSync("sha256", secret, "gatehouse", purpose, length)),
  );
}

/** A key for one purpose (HKDF-SHA256), so that no two uses ever share key bytes. */
export function deriveKey(purpose: string, length = 32): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey(), "gatehouse", purpose, length));
}

function decode(text: string): Buffer {
  const trimmed = text.trim();
  const hex = /^(?:[0-9a-f]{2})+$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : undefined;
  const base64 = /^[\w+/-]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, "base64") : undefined;
  const key = [hex, base64, Buffer.from(trimmed)].find(
    (bytes) => bytes !== undefined && bytes.length >= leastBytes,
  );
  if (key === undefined)
    throw new Error(
      `SECRET_KEY holds fewer than ${leastBytes} bytes. Make one with: openssl rand -base64 32`,
    );
  return key;
}

function storedKey(): Buffer {
  if (process.env.DATABASE_URL && process.env.NODE_ENV === "production") {
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
    return decode(readFileSync(file, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`${file} cannot be used.`, { cause: error });
  }
}

/** A link never replaces a file, so of two processes that start at once one wins and both read the same key. */
function writeKey(file: string): Buffer {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  writeSync(handle, `${randomBytes(leastBytes).toString("base64")}\n`);
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
