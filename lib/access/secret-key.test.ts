import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deriveKey, secretKey } from "@/lib/access/secret-key";
import { resetPerProcess } from "@/lib/protocol/per-process";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-secret-"));
  vi.stubEnv("SECRET_KEY", "");
  vi.stubEnv("DATA_DIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Reads the key as a new process does. */
function readAnew(): Buffer {
  resetPerProcess("secret-key");
  return secretKey();
}

describe("SECRET_KEY", () => {
  const bytes = randomBytes(32);

  test.each([
    ["hexadecimal", bytes.toString("hex"), bytes],
    ["base64", bytes.toString("base64"), bytes],
    ["base64url", bytes.toString("base64url"), bytes],
    [
      "raw",
      "a passphrase of more than 32 bytes!",
      Buffer.from("a passphrase of more than 32 bytes!"),
    ],
  ])("may be %s", (_, text, expected) => {
    vi.stubEnv("SECRET_KEY", text);
    expect(secretKey()).toEqual(expected);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that is too short is rejected, and not revealed", () => {
    vi.stubEnv("SECRET_KEY", "too-short-a-secret");
    expect(secretKey).toThrow(/fewer than 32 bytes/);
    expect(secretKey).not.toThrow(/too-short-a-secret/);
  });
});

describe("without SECRET_KEY", () => {
  test("32 bytes are generated once, in a file that only the owner can read", () => {
    vi.stubEnv("DATABASE_URL", "");
    const key = readAnew();
    expect(key).toHaveLength(32);
    expect(readAnew()).toEqual(key);
    expect(readdirSync(folder)).toEqual(["secret-key"]);
    expect(statSync(join(folder, "secret-key")).mode & 0o777).toBe(0o600);
  });

  test("a key that another process generated is kept", () => {
    const theirs = randomBytes(32);
    writeFileSync(join(folder, "secret-key"), theirs.toString("base64"));
    expect(readAnew()).toEqual(theirs);
    expect(readFileSync(join(folder, "secret-key"), "utf8")).toBe(theirs.toString("base64"));
  });

  test("a key file cut short is an error, not a new key", () => {
    writeFileSync(join(folder, "secret-key"), "");
    expect(readAnew).toThrow(/cannot be used/);
  });

  test("several instances on one database do not start in production", () => {
    vi.stubEnv("DATABASE_URL", "postgres://somewhere/gatehouse");
    vi.stubEnv("NODE_ENV", "production");
    expect(readAnew).toThrow("SECRET_KEY must be set");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("derived keys", () => {
  test("differ by purpose and are deterministic", () => {
    expect(deriveKey("portal")).toEqual(deriveKey("portal"));
    expect(deriveKey("portal")).not.toEqual(deriveKey("bearer"));
    expect(deriveKey("portal", 64)).toHaveLength(64);
    expect(deriveKey("portal")).not.toEqual(secretKey());
  });
});
