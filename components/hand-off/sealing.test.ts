import { expect, test } from "vitest";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { sealedLength } from "@/lib/features/api-keys/hand-offs/contract";
import { handOffLink, hashOf, readHandOffLink, seal, unseal } from "./link";

const secret = newApiKey();

test("an encrypted text is decrypted with its key", async () => {
  const sealed = await seal(secret);
  expect(await unseal(sealed)).toBe(secret);
  expect(sealed.key).toMatch(/^[\w-]{43}$/);
});

test("the encrypted text has the form that the service accepts, and does not contain the secret", async () => {
  const { sealed } = await seal(secret);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(sealed).toHaveLength(sealedLength);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("svk_");
});

test("the hash of a secret is the one that the service compares", async () => {
  expect(await hashOf(secret)).toBe(sha256(secret).toString("hex"));
});

test("the same secret is sealed differently each time", async () => {
  const [one, other] = [await seal(secret), await seal(secret)];
  expect(one.sealed).not.toBe(other.sealed);
  expect(one.key).not.toBe(other.key);
});

test("a wrong key or a changed text does not decrypt", async () => {
  const [one, other] = [await seal(secret), await seal(secret)];
  expect(await unseal({ ...one, key: other.key })).toBeUndefined();
  const changed = `${one.sealed.startsWith("A") ? "B" : "A"}${one.sealed.slice(1)}`;
  expect(await unseal({ ...one, sealed: changed })).toBeUndefined();
  expect(await unseal({ ...one, key: "?" })).toBeUndefined();
});

const token = `svh_${"0".repeat(43)}`;
const key = "k".repeat(43);

test("a link stores token and key in its fragment, and is read from there", () => {
  const link = new URL(handOffLink("https://gatehouse.example", { tenant: "a", token, key }));
  expect([link.pathname, link.search]).toEqual(["/hand-off/a", ""]);
  expect(readHandOffLink(link.hash)).toEqual({ token, key });
});

test("a link that lost a part is incomplete: opening it would use it up", () => {
  for (const hash of ["", `#token=${token}`, `#key=${key}`, `#token=${token}&key=${key.slice(1)}`])
    expect(readHandOffLink(hash), hash).toBeUndefined();
});
