import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys, users } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { renewLabelKeys } from "./cleaning";

test("keys are recomputed if they are free; the others stay and are reported once, without the name", async () => {
  const tenant = await makeTenant();
  const person = (login: string, loginKey: string) =>
    makeUser(tenant, { login, row: { loginKey } });
  await person("adm", "adm");
  const twin = await person("adm\u200b", "adm\u200b");
  const free = await person("Jo\u00adhn\u{e0041}", "jo\u00adhn\u{e0041}");
  const { userId } = await person("ann", "ann");
  const { userId: other } = await person("bob", "bob");
  await makeApiKey(tenant, other, { name: "Deploy", nameKey: "deploy" });
  const key = await makeApiKey(tenant, userId, { name: "De\u2060ploy", nameKey: "de\u2060ploy" });
  const warn = vi.spyOn(log(), "warn");
  await renewLabelKeys(tenant);
  await renewLabelKeys(tenant);
  const people = await db().select().from(users).where(eq(users.tenantId, tenant));
  const keyOf = (id: string) => people.find((one) => one.userId === id)?.loginKey;
  expect(keyOf(free.userId)).toBe("john");
  expect(keyOf(twin.userId)).toBe("adm\u200b");
  const keys = await db().select().from(apiKeys).where(eq(apiKeys.tenantId, tenant));
  expect(keys.find(({ apiKeyId }) => apiKeyId === key.apiKeyId)?.nameKey).toBe("deploy");
  const calls = warn.mock.calls.map((call) => JSON.stringify(call));
  expect(calls.filter((one) => one.includes(twin.userId))).toHaveLength(1);
  expect(calls.join()).not.toContain("adm\u200b");
});
