import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeStore, db } from "@/lib/database/open";
import { apiKeys, idempotentAnswers } from "@/lib/database/schema/schema";
import { type FaultyProxy, startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let proxy: FaultyProxy;

beforeAll(async () => {
  await closeStore();
  proxy = await startFaultyProxy(process.env.DATABASE_URL ?? "");
  vi.stubEnv("DATABASE_URL", proxy.url);
});

afterAll(async () => {
  await closeStore();
  await proxy.close();
  vi.unstubAllEnvs();
});

test("a key whose claim was stored without a response is free again as soon as the store is back", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const body = { name: "claimed", validTo: new Date(Date.now() + 86_400_000).toISOString() };
  const keyed = { ...headers, "Idempotency-Key": randomUUID() };
  const create = () => send("POST /v1/user/profile/api-keys", { headers: keyed, body });
  proxy.inflict("lose-claim");
  expect((await create()).status).toBe(503);
  // The release of the claim fails as well.
  proxy.inflict("reset");
  expect((await create()).status).toBe(503);
  proxy.inflict("pass");
  // A claim that is not released expires after 30 s, which a slow machine may take: here it never expires.
  const renewed = async () => {
    const claims = eq(idempotentAnswers.tenantId, tenant);
    await db().update(idempotentAnswers).set({ createdAt: new Date() }).where(claims);
    return (await create()).status;
  };
  await expect.poll(renewed).toBe(200);
  const made = and(eq(apiKeys.tenantId, tenant), eq(apiKeys.name, "claimed"));
  expect(await db().$count(apiKeys, made)).toBe(1);
});
