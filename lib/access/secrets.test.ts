import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { isApiKey, isSessionId, newApiKey, newSessionId } from "./secrets";

test("a new key is well formed, and any wrong character is detected without the store", () => {
  const key = newApiKey();
  expect(key).toMatch(/^svk_[0-9A-Za-z]{49}$/);
  expect(isApiKey(key)).toBe(true);
  for (let at = 4; at < key.length; at += 1) {
    const other = key[at] === "a" ? "b" : "a";
    expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
});

test("session ids are 256 bits and never repeat", () => {
  const ids = Array.from({ length: 1000 }, newSessionId);
  expect(ids.every(isSessionId)).toBe(true);
  expect(new Set(ids).size).toBe(1000);
});

test("a text in another form is no key, even with a correct checksum", () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const withChecksum = (text: string) => {
    let [digits, rest] = ["", crc32(text)];
    for (; digits.length < 6; rest = Math.floor(rest / 62))
      digits = `${alphabet[rest % 62]}${digits}`;
    return text + digits;
  };
  const body = newApiKey().slice(4, 47);
  expect(isApiKey(withChecksum(`svk_${body}`))).toBe(true);
  for (const text of [
    `svx_${body}`,
    `svk-${body}`,
    `svk_${body.slice(1)}-`,
    `svk_${body.slice(1)}\n`,
  ])
    expect(isApiKey(withChecksum(text)), text).toBe(false);
});
