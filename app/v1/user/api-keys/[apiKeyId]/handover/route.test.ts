import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeApiKey,
  makeSession,
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();

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

const list = async (query = "", headers = manager) =>
  send(`GET /v1/user/api-keys${query}`, { headers });

describe("handover", () => {
  const own = (apiKeyId: string, verb: string, headers: Headers, body?: unknown) =>
    send(`POST /v1/user/profile/api-keys/${apiKeyId}/${verb}`, {
      headers,
      ...(body === undefined ? {} : { body }),
    });

  test("200 to a service user: the manager gets the new secret; the old secret is invalid at once", async () => {
    const from = await makeUser(tenant, { roleIds: ["portal.default"] });
    const to = await makeUser(tenant, { roleIds: ["portal.default"], row: { kind: "service" } });
    const key = await makeApiKey(tenant, from.userId);
    const answer = await act(key.apiKeyId, "handover", manager, { userId: to.userId });
    expect(answer.body).toMatchObject({ apiKeyId: key.apiKeyId, status: "active" });
    expect(await use(key.headers)).toBe(401);
    const profile = await send("GET /v1/user/profile", {
      headers: { ...key.headers, "X-Service-API-Key": answer.body.apiKey },
    });
    expect(profile.body.id).toBe(to.userId);
    expect(
      (await send(`GET /v1/user/api-keys/${key.apiKeyId}`, { headers: manager })).body.owner.id,
    ).toBe(to.userId);
  });

  test("200 to a user: no secret is shown, the key is suspended, and only the new owner's rotation makes it work", async () => {
    const [from, to] = [
      await makeUser(tenant, { roleIds: ["portal.default"] }),
      await makeUser(tenant, { roleIds: ["portal.default"] }),
    ];
    const heir = (await makeSession(tenant, to.userId)).headers;
    const old = await makeApiKey(tenant, from.userId);
    const overlapping = await own(
      old.apiKeyId,
      "rotate",
      (await makeSession(tenant, from.userId)).headers,
      {},
    );
    const answer = await act(old.apiKeyId, "handover", manager, { userId: to.userId });
    expect(Object.keys(answer.body).sort()).toEqual(["apiKeyId", "status", "validTo"]);
    expect(answer.body.status).toBe("suspended");
    const headers = (apiKey: string) => ({ ...old.headers, "X-Service-API-Key": apiKey });
    expect([await use(old.headers), await use(headers(overlapping.body.apiKey))]).toEqual([
      401, 401,
    ]);
    const listed = await send("GET /v1/user/profile/api-keys", { headers: heir });
    expect(listed.body).toMatchObject([
      { apiKeyId: old.apiKeyId, status: "suspended", rotationRequired: true, handedOver: true },
    ]);
    const suspended = (await list(`?owner=${to.userId}&status=suspended`)).body.map(
      (key: { apiKeyId: string }) => key.apiKeyId,
    );
    expect(suspended).toEqual([old.apiKeyId]);
    const resumed = [
      await own(old.apiKeyId, "resume", heir),
      await act(old.apiKeyId, "resume"),
      await act(old.apiKeyId, "resume", admin),
    ];
    expect(resumed.map(({ body }) => body.code)).toEqual(
      Array(3).fill("api-key.rotation-required"),
    );
    expect((await act(old.apiKeyId, "rotate", admin, {})).body.code).toBe("user.not-service");
    const rotated = await own(old.apiKeyId, "rotate", heir, { overlap: "P1D" });
    const profile = await send("GET /v1/user/profile", { headers: headers(rotated.body.apiKey) });
    expect([profile.status, profile.body.id]).toEqual([200, to.userId]);
    const [key] = (await send("GET /v1/user/profile/api-keys", { headers: heir })).body;
    expect(key).toMatchObject({
      status: "active",
      rotationRequired: false,
      handedOver: false,
      previousValidTo: null,
    });
  });

  test("a key that was already suspended stays so after the new owner's rotation", async () => {
    const [from, to] = [
      await makeUser(tenant, { roleIds: ["portal.default"] }),
      await makeUser(tenant, { roleIds: ["portal.default"] }),
    ];
    const key = await makeApiKey(tenant, from.userId, { suspendedAt: new Date() });
    await act(key.apiKeyId, "handover", manager, { userId: to.userId });
    const rotated = await own(
      key.apiKeyId,
      "rotate",
      (await makeSession(tenant, to.userId)).headers,
      {},
    );
    expect(await use({ ...key.headers, "X-Service-API-Key": rotated.body.apiKey })).toBe(403);
  });

  test("400: to its current owner, whose secret a manager would learn", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const key = await makeApiKey(tenant, userId);
    const answer = await act(key.apiKeyId, "handover", manager, { userId });
    expect([answer.status, answer.body.reason]).toEqual([400, "/userId"]);
    expect(await use(key.headers)).toBe(200);
  });

  test("403: to a user with more permissions than the caller; 409: to a user who has a key with the same name", async () => {
    const [from, to] = [
      await makeUser(tenant),
      await makeUser(tenant, { roleIds: ["portal.analytics.mgmt"] }),
    ];
    const { apiKeyId } = await makeApiKey(tenant, from.userId, { name: "same", nameKey: "same" });
    expect((await act(apiKeyId, "handover", manager, { userId: to.userId })).body.reason).toBe(
      "api-metric.read",
    );
    await makeApiKey(tenant, to.userId, { name: "Same", nameKey: "same" });
    expect((await act(apiKeyId, "handover", admin, { userId: to.userId })).body.code).toBe(
      "api-key.name-taken",
    );
  });
});
