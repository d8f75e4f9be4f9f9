import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** Requests come from 127.0.0.1, a trusted proxy here: X-Forwarded-For names the client. */
const send = testServer({ trusted: trustedProxies("127.0.0.1") });
let tenant: string;
let session: Headers;
let verifier: Headers;
let userId: string;
let serial = 0;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] }));
  session = (await makeSession(tenant, userId)).headers;
  verifier = (await makeApiKey(tenant, userId, { permissions: ["credential.verify"] })).headers;
});

const validTo = () => new Date(Date.now() + 3_600_000).toISOString();
const keys = "/v1/user/profile/api-keys";

function create(limits: object) {
  serial += 1;
  const body = { name: `key ${serial}`, validTo: validTo(), ...limits };
  return send(`POST ${keys}`, { headers: session, body });
}

const from = (apiKey: string, address: string): Headers => ({
  "X-Service-Tenant": tenant,
  "X-Service-API-Key": apiKey,
  "X-Forwarded-For": address,
});
const call = (apiKey: string, address = "192.0.2.1") =>
  send("GET /v1/user/profile", { headers: from(apiKey, address) });
const verify = async (credential: object) =>
  (await send("POST /v1/access/verify", { headers: verifier, body: { credentials: [credential] } }))
    .body[0];

describe("allowedAddresses", () => {
  test("200 from an allowed address, 403 from another one, which is named", async () => {
    const { apiKey } = (await create({ allowedAddresses: ["192.0.2.77/24", "2001:DB8::/32"] }))
      .body;
    expect((await call(apiKey, "192.0.2.200")).status).toBe(200);
    expect((await call(apiKey, "2001:db8:1::5")).status).toBe(200);
    for (const address of ["192.0.3.1", "2001:db9::1"]) {
      const { status, body } = await call(apiKey, address);
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: "auth.address-not-allowed", reason: address });
    }
  });

  test("the address is the one that the trusted proxy reports, not the client's own claim before it", async () => {
    const { apiKey } = (await create({ allowedAddresses: ["192.0.2.1"] })).body;
    expect((await call(apiKey, "192.0.2.1, 198.51.100.9")).status).toBe(403);
    expect((await call(apiKey, "198.51.100.9, 192.0.2.1")).status).toBe(200);
  });

  test("is shown normalised, replaced and removed, and each change takes effect at once", async () => {
    const made = await create({ allowedAddresses: ["10.1.2.3/8", "10.0.0.0/8"] });
    const { apiKey, apiKeyId } = made.body;
    const show = async () => (await send(`GET ${keys}/${apiKeyId}`, { headers: session })).body;
    const patch = (body: object) => send(`PATCH ${keys}/${apiKeyId}`, { headers: session, body });
    expect((await show()).allowedAddresses).toEqual(["10.0.0.0/8"]);
    expect((await call(apiKey)).status).toBe(403);
    expect((await patch({ allowedAddresses: ["192.0.2.1"] })).body.allowedAddresses).toEqual([
      "192.0.2.1/32",
    ]);
    expect((await call(apiKey)).status).toBe(200);
    expect((await patch({ allowedAddresses: null })).body.allowedAddresses).toBeNull();
    expect((await call(apiKey, "198.51.100.1")).status).toBe(200);
    const { body } = await send("GET /v1/audit/events?action=api-key.updated", {
      headers: session,
    });
    expect(body[0].changes).toEqual({ allowedAddresses: { before: ["192.0.2.1/32"] } });
  });

  test("a rejected request does not count as a use of the key", async () => {
    const { apiKey, apiKeyId } = (await create({ allowedAddresses: ["10.0.0.1"] })).body;
    expect((await call(apiKey)).status).toBe(403);
    const { body } = await send(`GET ${keys}/${apiKeyId}`, { headers: session });
    expect(body.lastUsedAt).toBeNull();
  });

  test("verification returns WRONG_ADDRESS for another address and for none", async () => {
    const { apiKey } = (await create({ allowedAddresses: ["192.0.2.0/24"] })).body;
    expect(await verify({ apiKey, address: "192.0.2.9" })).toMatchObject({
      code: "VALID",
      allowedAddresses: ["192.0.2.0/24"],
      cacheFor: 0,
    });
    expect((await verify({ apiKey, address: "192.0.3.9" })).code).toBe("WRONG_ADDRESS");
    expect((await verify({ apiKey })).code).toBe("WRONG_ADDRESS");
  });
});

describe("rateLimit", () => {
  // A rate window could end during a test.
  beforeEach(stopClock);

  test("429 with the key's own code beyond the limit, and with Retry-After", async () => {
    const rateLimit = { limit: 3, window: "P1D" };
    const { apiKey, apiKeyId } = (await create({ rateLimit })).body;
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await call(apiKey)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const { body, headers } = await call(apiKey);
    expect(body).toMatchObject({ code: "rate-limit.api-key-exceeded", reason: "api-key" });
    expect(headers.get("ratelimit-policy")).toBe('"api-key";q=3;w=86400');
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const shown = await send(`GET ${keys}/${apiKeyId}`, { headers: session });
    expect(shown.body.rateLimit).toEqual(rateLimit);
  });

  test("raising and removing a limit take effect at once", async () => {
    const { apiKey, apiKeyId } = (await create({ rateLimit: { limit: 1, window: "P1D" } })).body;
    const patch = (body: object) => send(`PATCH ${keys}/${apiKeyId}`, { headers: session, body });
    expect([(await call(apiKey)).status, (await call(apiKey)).status]).toEqual([200, 429]);
    expect((await patch({ rateLimit: { limit: 2, window: "P1D" } })).status).toBe(200);
    expect([(await call(apiKey)).status, (await call(apiKey)).status]).toEqual([200, 429]);
    await patch({ rateLimit: { limit: 1, window: "PT23H" } });
    expect((await call(apiKey)).status).toBe(200);
    await patch({ rateLimit: null });
    expect((await call(apiKey)).status).toBe(200);
    expect((await call(apiKey)).status).toBe(200);
  });

  test("is counted by verification and requests together", async () => {
    const { apiKey } = (await create({ rateLimit: { limit: 3, window: "P1D" } })).body;
    expect(await verify({ apiKey })).toMatchObject({
      code: "VALID",
      rateLimit: { limit: 3, window: "P1D" },
      cacheFor: 0,
    });
    expect((await call(apiKey)).status).toBe(200);
    const body = { credentials: [{ apiKey }, { apiKey }] };
    const both = await send("POST /v1/access/verify", { headers: verifier, body });
    expect(both.body.map((one: { code: string }) => one.code)).toEqual(["VALID", "RATE_LIMITED"]);
    expect((await call(apiKey)).status).toBe(429);
  });

  test("requests that are rejected for another reason do not count", async () => {
    const limits = { rateLimit: { limit: 1, window: "P1D" }, allowedAddresses: ["192.0.2.1"] };
    const { apiKey } = (await create(limits)).body;
    await call(apiKey, "192.0.2.2");
    await verify({ apiKey, address: "192.0.2.2" });
    await verify({ apiKey, address: "192.0.2.1", site: "nowhere" });
    expect((await call(apiKey)).status).toBe(200);
  });
});

describe("400", () => {
  test.each([
    [{ rateLimit: { limit: 0, window: "PT1M" } }, "/rateLimit/limit"],
    [{ rateLimit: { limit: 1.5, window: "PT1M" } }, "/rateLimit/limit"],
    [{ rateLimit: { limit: 1_000_001, window: "PT1M" } }, "/rateLimit/limit"],
    [{ rateLimit: { limit: 1, window: "PT0S" } }, "/rateLimit/window"],
    [{ rateLimit: { limit: 1, window: "P2D" } }, "/rateLimit/window"],
    [{ rateLimit: { limit: 1 } }, "/rateLimit/window"],
    [{ allowedAddresses: [] }, "/allowedAddresses"],
    [{ allowedAddresses: Array(51).fill("192.0.2.1") }, "/allowedAddresses"],
    [{ allowedAddresses: ["192.0.2.1", "example.com"] }, "/allowedAddresses/1"],
    [{ allowedAddresses: ["10.0.0.0/33"] }, "/allowedAddresses/0"],
  ])("for %j", async (limits, pointer) => {
    const { status, body } = await create(limits);
    expect(status).toBe(400);
    expect(body.reason).toContain(pointer);
  });
});

describe("PATCH /v1/user/api-keys/{apiKeyId}", () => {
  const managed = (apiKeyId: string, body: object, headers = session) =>
    send(`PATCH /v1/user/api-keys/${apiKeyId}`, { headers, body });

  test("200: a manager limits a service user's key", async () => {
    stopClock();
    const service = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { kind: "service" },
    });
    const { apiKeyId, apiKey } = await makeApiKey(tenant, service.userId);
    const rateLimit = { limit: 1, window: "P1D" };
    expect((await managed(apiKeyId, { rateLimit })).body).toMatchObject({ rateLimit });
    expect([(await call(apiKey)).status, (await call(apiKey)).status]).toEqual([200, 429]);
  });

  test("401 for an API key, 403 without api-key.manage, 404 for another tenant's key", async () => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const limits = { allowedAddresses: ["192.0.2.1"] };
    expect((await managed(apiKeyId, limits, verifier)).status).toBe(401);
    const low = await makeUser(tenant, { roleIds: ["portal.pim.mgmt"] });
    const { headers } = await makeSession(tenant, low.userId);
    expect((await managed(apiKeyId, limits, headers)).status).toBe(403);
    const other = await makeTenant();
    const foreign = await makeApiKey(other, (await makeUser(other)).userId);
    expect((await managed(foreign.apiKeyId, limits)).status).toBe(404);
  });
});
