import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const day = 86_400_000;
const ahead = (days: number) => new Date(Date.now() + days * day);
let tenant: string;
let admin: Headers;
let manager: Headers;

const signedIn = async (given: NewUser) => (await makeSignedInUser(tenant, given)).headers;

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
});

const act = (apiKeyId: string, verb: string, headers = manager, body?: unknown) =>
  send(`POST /v1/user/api-keys/${apiKeyId}/${verb}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
const use = async (headers: Headers) => (await send("GET /v1/user/profile", { headers })).status;

describe("anybody's key", () => {
  test("200: suspended, resumed and revoked by a manager, rejected at once each time", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const key = await makeApiKey(tenant, userId);
    expect(await use(key.headers)).toBe(200);
    expect((await act(key.apiKeyId, "suspend")).body).toMatchObject({
      status: "suspended",
      owner: { id: userId },
    });
    expect(await use(key.headers)).toBe(403);
    expect((await act(key.apiKeyId, "resume")).body.status).toBe("active");
    expect(await use(key.headers)).toBe(200);
    expect((await act(key.apiKeyId, "revoke")).body.status).toBe("revoked");
    expect(await use(key.headers)).toBe(401);
    expect((await act(key.apiKeyId, "suspend")).body.code).toBe("api-key.revoked");
  });

  test("403: only a tenant.admin may change a tenant.admin's keys", async () => {
    const boss = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { apiKeyId } = await makeApiKey(tenant, boss.userId);
    expect((await act(apiKeyId, "revoke")).body.code).toBe("user.admin-only");
    expect((await act(apiKeyId, "revoke", admin)).status).toBe(200);
  });

  test("409: a user's key is rotated only by the user", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKeyId } = await makeApiKey(tenant, userId);
    expect((await act(apiKeyId, "rotate", admin, {})).body.code).toBe("user.not-service");
  });
});

describe("a service user's keys", () => {
  const make = (userId: string, headers: Headers) =>
    send(`POST /v1/user/${userId}/api-keys`, {
      headers,
      body: { name: "bridge", validTo: ahead(30).toISOString() },
    });

  test("200: created and rotated by a manager who has all of its permissions", async () => {
    const { userId } = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { kind: "service" },
    });
    const made = await make(userId, manager);
    expect(Object.keys(made.body).sort()).toEqual(["apiKey", "apiKeyId", "validTo"]);
    const headers = (apiKey: string) => ({
      "X-Service-Tenant": tenant,
      "X-Service-API-Key": apiKey,
    });
    expect(await use(headers(made.body.apiKey))).toBe(200);
    const rotated = await act(made.body.apiKeyId, "rotate", manager, { overlap: "PT0S" });
    expect([await use(headers(made.body.apiKey)), await use(headers(rotated.body.apiKey))]).toEqual(
      [401, 200],
    );
  });

  test("403 where it has more permissions, 409 for a user", async () => {
    const strong = await makeUser(tenant, {
      roleIds: ["portal.analytics.mgmt"],
      row: { kind: "service" },
    });
    const refused = await make(strong.userId, manager);
    expect([refused.status, refused.body.reason]).toEqual([403, "api-metric.read"]);
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    expect((await make(userId, manager)).body.code).toBe("user.not-service");
  });
});
