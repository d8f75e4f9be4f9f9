import { expect, test } from "vitest";
import { mayRotate, secretsAs } from "./bulk-keys";

const keys = [
  { name: "ci eu", apiKeyId: "key_1", apiKey: "svk_aaaa1111", validTo: "2026-12-02T14:00:00.000Z" },
  { name: "ci-eu", apiKeyId: "key_2", apiKey: "svk_bbbb2222", validTo: "2026-12-02T14:00:00.000Z" },
];

test("names that map to the same variable get two different variables", () => {
  expect(secretsAs("env", keys)).toBe(
    "API_KEY_CI_EU_1111=svk_aaaa1111\nAPI_KEY_CI_EU_2222=svk_bbbb2222\n",
  );
});

test("a name in a CSV is text, not a formula", () => {
  const [, line] = secretsAs("csv", [{ ...keys[0], name: '=1+"2"' } as never]).split("\r\n");
  expect(line).not.toMatch(/^=/);
  expect(line).toContain("key_1,svk_aaaa1111");
});

test("a manager can rotate only the keys of service users", () => {
  const owner = { id: "user_1", login: "ada", name: "Ada", state: "active", lock: false } as const;
  expect(mayRotate({ owner: { ...owner, kind: "person" } } as never)).toBe(false);
  expect(mayRotate({ owner: { ...owner, kind: "service" } } as never)).toBe(true);
  expect(mayRotate({} as never)).toBe(true);
});
