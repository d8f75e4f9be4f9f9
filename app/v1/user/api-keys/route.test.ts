import { beforeAll, describe, expect, test } from "vitest";
import { encodeLabels } from "@/lib/features/metrics/call-labels";
import { writeCells } from "@/lib/features/metrics/write";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
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

const list = async (query = "", headers = manager) =>
  send(`GET /v1/user/api-keys${query}`, { headers });
const act = (apiKeyId: string, verb: string, headers = manager, body?: unknown) =>
  send(`POST /v1/user/api-keys/${apiKeyId}/${verb}`, {
    headers,
    ...(body === undefined ? {} : { body }),
  });

const use = async (headers: Headers) => (await send("GET /v1/user/profile", { headers })).status;

describe("GET /v1/user/api-keys", () => {
  test("200: filters by owner, status, expiry and use; each key with its owner, none with its secret", async () => {
    const owner = await makeUser(tenant, { login: "owner", row: { isLocked: true } });
    const soon = await makeApiKey(tenant, owner.userId, {
      validTo: ahead(5),
      createdAt: ahead(-1),
    });
    const idle = await makeApiKey(tenant, owner.userId, {
      validTo: ahead(50),
      createdAt: ahead(-100),
    });
    const used = await makeApiKey(tenant, owner.userId, {
      validTo: ahead(50),
      createdAt: ahead(-101),
      lastUsedAt: ahead(-2),
    });
    const expired = await makeApiKey(tenant, owner.userId, {
      validTo: ahead(-1),
      createdAt: ahead(-102),
      lastUsedAt: ahead(-2),
    });
    const suspended = await makeApiKey(tenant, owner.userId, {
      validTo: ahead(50),
      suspendedAt: ahead(0),
      createdAt: ahead(-3),
    });
    const ids = async (query: string) =>
      (await list(`?owner=${owner.userId}${query}`)).body.map(
        (key: { apiKeyId: string }) => key.apiKeyId,
      );
    expect(await ids("")).toEqual(
      [soon, suspended, idle, used, expired].map(({ apiKeyId }) => apiKeyId),
    );
    expect(await ids("&status=expired")).toEqual([expired.apiKeyId]);
    expect(await ids("&status=suspended")).toEqual([suspended.apiKeyId]);
    expect(await ids("&expiresWithin=P14D")).toEqual([soon.apiKeyId]);
    expect(await ids("&unusedFor=P90D")).toEqual([idle.apiKeyId]);
    expect(await ids("&neverUsed=true")).toEqual(
      [soon, suspended, idle].map(({ apiKeyId }) => apiKeyId),
    );
    expect(await ids("&neverUsed=false")).toEqual([used, expired].map(({ apiKeyId }) => apiKeyId));
    const freed = await makeUser(tenant, { row: { isLocked: true, lockedUntil: ahead(-1) } });
    const free = await makeApiKey(tenant, freed.userId, { createdAt: ahead(-4) });
    const locked = (await list("?ownerLock=true")).body.map(
      (key: { apiKeyId: string }) => key.apiKeyId,
    );
    expect(locked, "a lock that has ended is none").not.toContain(free.apiKeyId);
    expect(locked).toEqual(await ids(""));
    expect(
      (await list("?ownerLock=false")).body.map((key: { apiKeyId: string }) => key.apiKeyId),
    ).toContain(free.apiKeyId);
    const answer = await list(`?owner=${owner.userId}&limit=1`);
    expect(answer.body).toMatchObject([
      { owner: { id: owner.userId, login: "owner", kind: "person", lock: true } },
    ]);
    const next = /<(.+)>/.exec(answer.headers.get("link") ?? "")?.[1];
    expect((await send(`GET ${next}`, { headers: manager })).body).toMatchObject([
      { apiKeyId: suspended.apiKeyId },
    ]);
    expect(answer.text).not.toContain(soon.apiKey);
  });

  test("200: with the calls of seven days on request, also for callers who may not read metrics", async () => {
    stopClock();
    const owner = await makeUser(tenant, { roleIds: ["portal.default"] });
    const busy = await makeApiKey(tenant, owner.userId);
    await makeApiKey(tenant, owner.userId, { createdAt: ahead(-1) });
    const values = encodeLabels({
      domain: "user",
      endpoint: "GET /v1/user/list",
      method: "GET",
      status: "200",
      apiKey: busy.apiKeyId,
      user: owner.userId,
      credentialKind: "apiKey",
    });
    const cells = [0, 2].map((days) => ({
      at: Math.floor(Date.now() / 60_000) * 60_000 - days * day,
      values,
      count: 3 + days,
    }));
    await writeCells({ tenantId: tenant, source: "test", seq: 1 }, cells);
    const answer = await list(`?owner=${owner.userId}&fields=%2BcallsByDay`);
    expect(answer.body.map((key: { callsByDay: number[] }) => key.callsByDay)).toEqual([
      [0, 0, 0, 0, 5, 0, 3],
      [0, 0, 0, 0, 0, 0, 0],
    ]);
    expect((await list(`?owner=${owner.userId}`)).body[0]).not.toHaveProperty("callsByDay");
    expect((await list("?fields=secret")).body.reason).toBe("?fields");
  });

  test("200: with the calls of more keys than one metrics query can group by", async () => {
    stopClock();
    const owner = await makeUser(tenant, { roleIds: ["portal.default"] });
    const keys: string[] = [];
    for (let n = 0; n < 130; n += 1) keys.push((await makeApiKey(tenant, owner.userId)).apiKeyId);
    const at = Math.floor(Date.now() / 60_000) * 60_000;
    const cells = keys.map((key, n) => ({
      at,
      values: encodeLabels({
        domain: "user",
        endpoint: "GET /v1/user/list",
        method: "GET",
        status: "200",
        apiKey: key,
        user: owner.userId,
        credentialKind: "apiKey",
      }),
      count: n + 1,
    }));
    await writeCells({ tenantId: tenant, source: "many", seq: 1 }, cells);
    const { body } = await list(`?owner=${owner.userId}&limit=200&fields=%2BcallsByDay`);
    const calls = new Map<string, number>(
      body.map((key: { apiKeyId: string; callsByDay: number[] }) => [
        key.apiKeyId,
        key.callsByDay[6],
      ]),
    );
    expect(keys.map((key) => calls.get(key))).toEqual(keys.map((_, n) => n + 1));
  });

  test("200: a use is shown at once, before it is written to the store", async () => {
    const owner = await makeUser(tenant, { roleIds: ["portal.default"] });
    const key = await makeApiKey(tenant, owner.userId, {
      lastUsedAt: ahead(-3),
      lastUsedIp: "10.0.0.1",
      lastUsedOperation: "GET /v1/events",
    });
    expect((await list(`?owner=${owner.userId}`)).body[0]).toMatchObject({
      lastUsedIp: "10.0.0.1",
    });
    const usedAt = Date.now();
    await use(key.headers);
    const [shown] = (await list(`?owner=${owner.userId}`)).body;
    expect(shown).toMatchObject({
      lastUsedIp: "127.0.0.1",
      lastUsedOperation: "GET /v1/user/profile",
    });
    expect(Date.parse(shown.lastUsedAt)).toBeGreaterThanOrEqual(usedAt);
  });

  test("400: an invalid duration; 403: without api-key.manage, and with a role at a site only", async () => {
    expect((await list("?unusedFor=long")).body.reason).toBe("?unusedFor");
    const low = await list("", await signedIn({ roleIds: ["portal.default"] }));
    expect([low.status, low.body.reason]).toEqual([403, "api-key.manage"]);
    const atSite = await signedIn({ sites: { one: ["portal.users.mgmt"] } });
    expect((await list("", { ...atSite, "X-Service-Site": "one" })).status).toBe(403);
  });

  test("another tenant's keys are not listed", async () => {
    const other = await makeTenant();
    const { userId } = await makeUser(other);
    const { apiKeyId } = await makeApiKey(other, userId);
    expect((await list(`?owner=${userId}`)).body).toEqual([]);
    expect((await send(`GET /v1/user/api-keys/${apiKeyId}`, { headers: admin })).status).toBe(404);
    expect((await act(apiKeyId, "revoke", admin)).status).toBe(404);
  });
});
