import { pbkdf2Sync, randomBytes, scryptSync } from "node:crypto";
import { hash as argon2 } from "@node-rs/argon2";
import { hashSync as bcrypt } from "@node-rs/bcrypt";
import { describe, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./hashing";
import { importFault, isOwnHash, maxImportedCost, verificationOf } from "./password-hashes";

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

const who = { plane: "consumer" as const, tenantId: "shop" };

/** Hashes from the documentation of other programs. */
const known: [kind: string, password: string, stored: string][] = [
  ["bcrypt", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  [
    "pbkdf2",
    "password",
    "$pbkdf2-sha256$6400$0ZrzXitFSGltTQnBWOsdAw$Y11AchqV4b0sUisdZd0Xr97KWoymNE0LNNrnEgY4H9M",
  ],
  [
    "scrypt",
    "password",
    "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
  ],
  [
    "argon2",
    "password",
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
  ],
];

/** A cheap hash of each kind. */
const makers: Record<string, (password: string) => string | Promise<string>> = {
  "bcrypt 2b": (password) => bcrypt(password, 4),
  "bcrypt 2y": (password) => bcrypt(password, 4).replace("$2b$", "$2y$"),
  scrypt: (password) => {
    const salt = randomBytes(16);
    const hash = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 2 });
    return `$scrypt$ln=10,r=8,p=2$${base64(salt)}$${base64(hash)}`;
  },
  "pbkdf2-sha1": (password) => pbkdf2("sha1", password),
  "pbkdf2-sha512": (password) => pbkdf2("sha512", password),
  argon2i: (password) =>
    argon2(password, { algorithm: 1, memoryCost: 256, timeCost: 1, parallelism: 2 }),
};

function pbkdf2(digest: string, password: string): string {
  const salt = randomBytes(12);
  return `$pbkdf2-${digest}$i=100$${base64(salt)}$${base64(pbkdf2Sync(password, salt, 100, 20, digest))}`;
}

describe("a password is verified against a hash of another program", () => {
  test.each(known)("%s, as documented", async (kind, password, stored) => {
    expect(verificationOf(stored)?.kind).toBe(kind);
    expect(await verifyPassword(who, stored, password)).toBe(true);
    expect(await verifyPassword(who, stored, `${password}.`)).toBe(false);
  });

  test.each(Object.keys(makers))("%s, 40 passwords", async (kind) => {
    for (let round = 0; round < 40; round += 1) {
      const password = `${randomBytes(6).toString("hex")} Émile ${round}`;
      const stored = (await makers[kind]?.(password)) ?? "";
      expect(await verifyPassword(who, stored, password), stored).toBe(true);
      expect(await verifyPassword(who, stored, `${password} `)).toBe(false);
    }
  });
});

test("our own hashes are known as such, and no others", async () => {
  expect(isOwnHash(await hashPassword(who, "a longer secret"))).toBe(true);
  for (const [, , stored] of known) expect(isOwnHash(stored)).toBe(false);
});

test("nothing is verified against an empty hash", async () => {
  for (const stored of ["", null]) expect(await verifyPassword(who, stored, "")).toBe(false);
});

const salt = "0ZrzXitFSGltTQnBWOsdAw";
const hash = "Y11AchqV4b0sUisdZd0Xr97KWoymNE0LNNrnEgY4H9M";

describe("is not accepted", () => {
  test.each([
    ["bcrypt of cost 14", `$2b$14$${"a".repeat(53)}`],
    ["bcrypt of cost 3", `$2b$03$${"a".repeat(53)}`],
    ["scrypt with 128 MiB", `$scrypt$ln=17,r=8,p=1$${salt}$${hash}`],
    ["scrypt with 16 lanes", `$scrypt$ln=16,r=8,p=16$${salt}$${hash}`],
    ["scrypt with N of 2^(16 r)", `$scrypt$ln=16,r=1,p=1$${salt}$${hash}`],
    ["scrypt with a cost beyond any number", `$scrypt$ln=99,r=8,p=1$${salt}$${hash}`],
    ["scrypt without work", `$scrypt$ln=0,r=8,p=1$${salt}$${hash}`],
    ["PBKDF2 with more than a million rounds", `$pbkdf2-sha256$i=1000001$${salt}$${hash}`],
    ["PBKDF2 whose hash has many blocks", `$pbkdf2-sha1$i=999999$${salt}$${hash}`],
    ["PBKDF2 with MD5", `$pbkdf2-md5$i=1000$${salt}$${hash}`],
    ["argon2 with 128 MiB", `$argon2id$v=19$m=131072,t=1,p=1$${salt}$${hash}`],
    ["argon2 with 100 passes", `$argon2id$v=19$m=65536,t=100,p=1$${salt}$${hash}`],
    ["argon2 with less memory than its lanes need", `$argon2id$v=19$m=8,t=1,p=4$${salt}$${hash}`],
    ["argon2 with a salt of 7 bytes", `$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbA$${hash}`],
    ["argon2 with bits behind its salt", `$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHR$${hash}`],
    ["argon2 with passlib's base64", `$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbH.0$${hash}`],
    ["argon2 with zeros before a number", `$argon2id$v=19$m=064,t=1,p=1$${salt}$${hash}`],
    ["a short hash", `$pbkdf2-sha256$i=1000$${salt}$AAAA`],
    ["a hash that is longer than any", `$pbkdf2-sha256$i=1000$${salt}$${"A".repeat(2000)}`],
    ["a plain text", "a longer secret"],
    ["a line break behind it", `$pbkdf2-sha256$i=1000$${salt}$${hash}\n`],
  ])("%s", (_, stored) => {
    expect(verificationOf(stored)).toBeUndefined();
  });
});

describe("an import", () => {
  const scrypt = (ln: number, r: number, p: number) =>
    `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${hash}`;
  const rounds = (digest: string, i: number) =>
    `$pbkdf2-${digest}$i=${i}$${salt}$${hash.slice(0, 27)}`;
  const argon = (m: number, t: number) => `$argon2id$v=19$m=${m},t=${t},p=1$${salt}$${hash}`;
  const blowfish = (cost: number) => `$2b$${String(cost).padStart(2, "0")}$${"a".repeat(53)}`;

  test.each([
    ["bcrypt", blowfish(8), blowfish(10), blowfish(11)],
    ["scrypt", scrypt(12, 8, 1), scrypt(14, 8, 1), scrypt(14, 8, 2)],
    ["PBKDF2", rounds("sha256", 50_000), rounds("sha256", 200_000), rounds("sha256", 200_001)],
    ["PBKDF2", rounds("sha512", 25_000), rounds("sha512", 100_000), rounds("sha512", 100_001)],
    ["argon2", argon(19_456, 2), argon(65_536, 2), argon(65_536, 3)],
  ])("of %s takes what costs four hashes of ours, and in a sandbox one", (_, own, four, more) => {
    const { sandbox, other } = maxImportedCost;
    expect([own, four, more].map((stored) => importFault(stored, sandbox) === undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect([own, four, more].map((stored) => importFault(stored, other) === undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(importFault(more, other)).toMatch(/is too costly to verify. At most: bcrypt 10, scrypt/);
    expect(verificationOf(more), "what is stored already is still verified").toBeDefined();
  });

  test("distinguishes an unknown format from a cost that is too high", () => {
    expect(importFault("a longer secret", 4)).toMatch(/must be a bcrypt, scrypt, PBKDF2 or argon2/);
    expect(importFault(scrypt(16, 1, 1), 4)).toMatch(/with parameters that can be computed/);
    expect(importFault(blowfish(12), 1)).toContain("At most: bcrypt 8,");
  });
});
