import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { chooseHash } from "@/sdk/src/hash.js";

const text = "svk_a credential with ü and 😀";
const expected = createHash("sha256").update(text).digest("base64");

test("the hash is the same with node:crypto, without its newest function, and in browsers", async () => {
  expect(chooseHash()(text)).toBe(expected);
  expect(chooseHash({ getBuiltinModule: () => ({ createHash }) })(text)).toBe(expected);
  for (const platform of [{}, { getBuiltinModule: () => undefined }]) {
    const hashed = chooseHash(platform)(text);
    expect(hashed).toBeInstanceOf(Promise);
    expect(await hashed).toBe(expected);
  }
});
