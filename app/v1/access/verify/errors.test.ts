import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countRequest, rateLimits } from "@/lib/access/rate-limits";
import { newApiKey } from "@/lib/access/secrets";
import { makeVerifier, verifying } from "@/lib/features/verification/testing/verifying";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const { verify } = verifying(send, () => verifier);
let tenant: string;
let verifier: Headers;
let manager: Headers;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  verifier = await makeVerifier(tenant);
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  manager = (await makeSession(tenant, userId)).headers;
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
});

describe("POST /v1/access/verify, errors", () => {
  test("400 for no credential or two of them, for an unknown permission, and for an invalid address", async () => {
    const apiKey = newApiKey();
    const wrong = [
      {},
      { apiKey, token: "x" },
      { apiKey, permission: "world.manage" },
      { apiKey, address: "example.com" },
      { apiKey, secret: "x" },
    ];
    for (const credential of wrong)
      expect((await verify([credential])).status, JSON.stringify(credential)).toBe(400);
    expect((await verify([])).status).toBe(400);
  });

  test("400 does not repeat any part of the credential", async () => {
    const apiKey = newApiKey();
    const { text } = await verify([{ apiKey, token: apiKey, [apiKey.slice(0, 20)]: apiKey }]);
    expect(text).not.toContain(apiKey);
  });

  test("401 without an API key: a session is not enough", async () => {
    expect((await verify([{ apiKey: newApiKey() }], manager)).status).toBe(401);
    expect((await verify([{ apiKey: newApiKey() }], { "X-Service-Tenant": tenant })).status).toBe(
      401,
    );
  });

  test("403 without credential.verify in the whole tenant", async () => {
    const low = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
    const atSite = await makeUser(tenant, { sites: { one: ["portal.configurations.mgmt"] } });
    for (const { userId } of [low, atSite]) {
      const { headers } = await makeApiKey(tenant, userId);
      const answer = await verify([{ apiKey: newApiKey() }], {
        ...headers,
        "X-Service-Site": "one",
      });
      expect(answer.status).toBe(403);
      expect(answer.body.reason).toBe("credential.verify");
    }
  });

  test("413 for more than 100 credentials, 415 for another media type", async () => {
    const apiKey = newApiKey();
    expect((await verify(Array(101).fill({ apiKey }))).status).toBe(413);
    expect((await verify(Array(100).fill({ apiKey }))).status).toBe(200);
    const raw = "credentials=x";
    const headers = { ...verifier, "Content-Type": "application/x-www-form-urlencoded" };
    expect((await send("POST /v1/access/verify", { headers, raw })).status).toBe(415);
  });

  test("429 once a key has exceeded its rate limit of verified credentials; the tenant's other requests succeed", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
    const { apiKeyId, headers: own } = await makeApiKey(tenant, userId);
    process.env.RATE_LIMITS = "on";
    try {
      // A slow machine takes longer than the limit's minute for all of it.
      await countRequest("verification", apiKeyId, 1, rateLimits.verification.quota - 150);
      const credentials = Array(100).fill({ apiKey: "none" });
      const first = await verify(credentials, own);
      expect(first.status).toBe(200);
      expect(first.headers.get("ratelimit-policy")).toContain('"verification"');
      const last = await verify(credentials, own);
      expect(last.status).toBe(429);
      expect(last.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await send("GET /v1/user/list?limit=1", { headers: manager })).status).toBe(200);
    } finally {
      process.env.RATE_LIMITS = "off";
    }
  });
});
