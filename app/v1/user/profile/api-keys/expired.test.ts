import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys, auditEvents } from "@/lib/database/schema/schema";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
let tenant: string;
let userId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  ({ headers } = await makeSession(tenant, userId));
});

const expired = (name: string) =>
  makeApiKey(tenant, userId, { name, nameKey: name, validTo: new Date(Date.now() - 1000) });
const create = (name: string) =>
  send("POST /v1/user/profile/api-keys", { headers, body: { name, validTo: tomorrow() } });
const keysUsed = async () => {
  const { body } = await send("GET /v1/tenant/quotas", { headers });
  return body.find(({ quota }: { quota: string }) => quota === "user-keys")?.used;
};

test("200: 50 expired keys do not count toward the quota, and the response shows it", async () => {
  for (let n = 0; n < 50; n += 1) await expired(`job-${n}`);
  expect(await keysUsed()).toBe(0);
  expect((await create("next")).status).toBe(200);
  expect(await keysUsed()).toBe(1);
});

test("200: a new key may take the name of an expired one, which the same write revokes", async () => {
  const { apiKeyId } = await expired("nightly");
  expect((await create("nightly")).status).toBe(200);
  const [old] = await db()
    .select({ revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenant), eq(apiKeys.apiKeyId, apiKeyId)));
  expect(old?.revokedAt).toBeInstanceOf(Date);
  const entries = await db()
    .select({ action: auditEvents.action, target: auditEvents.target })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenant));
  const ofKey = entries.filter(({ target }) => target.id === apiKeyId);
  expect(ofKey.map(({ action }) => action)).toEqual(["api-key.revoked"]);
  expect((await create("Nightly")).status).toBe(409);
});

test("200: a key is renamed to the name of an expired one", async () => {
  await expired("weekly");
  const { body } = await create("daily");
  const change = { headers, body: { name: "weekly" } };
  const renamed = await send(`PATCH /v1/user/profile/api-keys/${body.apiKeyId}`, change);
  expect(renamed.status, renamed.text).toBe(200);
});

test("one of several concurrent creations gets the name", async () => {
  await expired("raced");
  const answers = await Promise.all(Array.from({ length: 20 }, () => create("raced")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
});
