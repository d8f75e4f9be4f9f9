import { beforeEach, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** Changes that are sensitive only because of their values: the operation requires no step-up otherwise. */
const send = testServer();
let tenant: string;
let userId: string;
let stale: Record<string, string>;
let apiKeyId: string;

beforeEach(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  const { headers } = await makeSession(tenant, userId);
  const body = { stepUp: "PT15M" };
  expect((await send("PUT /v1/tenant/security-policy", { headers, body })).status).toBe(200);
  const authenticatedAt = new Date(Date.now() - 20 * 60_000);
  ({ headers: stale } = await makeSession(tenant, userId, { authenticatedAt }));
  ({ apiKeyId } = await makeApiKey(tenant, userId));
});

const change = (path: string, body: object) =>
  send(`PATCH /v1/user/${path}`, { headers: stale, body });
const asks = { code: "auth.step-up-required" };

test("401 for the caller's e-mail address, which receives password reset links; not for the name", async () => {
  expect((await change(userId, { emailAddress: "thief@evil.dev" })).body).toMatchObject(asks);
  expect((await change(userId, { name: "Ada" })).status).toBe(200);
});

test.each(["profile/api-keys", "api-keys"])(
  "401 to relax the limits of a key (%s); not to tighten them",
  async (path) => {
    const key = `${path}/${apiKeyId}`;
    const rateLimit = { limit: 10, window: "PT1M" };
    const tight = await change(key, { allowedAddresses: ["192.0.2.0/24"], rateLimit });
    expect(tight.status, tight.text).toBe(200);
    expect((await change(key, { allowedAddresses: ["192.0.2.1"] })).status).toBe(200);
    for (const body of [
      { allowedAddresses: ["192.0.2.0/24"] },
      { allowedAddresses: null },
      { rateLimit: null },
      { rateLimit: { ...rateLimit, limit: 11 } },
    ])
      expect((await change(key, body)).body, JSON.stringify(body)).toMatchObject(asks);
  },
);
