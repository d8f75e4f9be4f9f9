import { expect, test } from "vitest";
import { newApiKey } from "@/lib/access/secrets";
import { isKey } from "./link";

test("keys that the service creates are valid", () => {
  for (let count = 0; count < 100; count += 1) expect(isKey(newApiKey())).toBe(true);
});

test.each([
  ["a sentence", "Call +49 30 555 0100 and read your password to us"],
  ["another text of the same length", "x".repeat(53)],
  ["a key with a wrong checksum", `svk_${"aB3".repeat(16)}x`],
  ["a key with a line after it", `${newApiKey()}\n`],
  ["nothing", ""],
])("%s is none", (_, text) => expect(isKey(text)).toBe(false));

test("a key with one letter changed is invalid", () => {
  const key = newApiKey();
  const changed = `${key.slice(0, 20)}${key[20] === "A" ? "B" : "A"}${key.slice(21)}`;
  expect(isKey(changed)).toBe(false);
});
