import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { flushUses } from "@/lib/access/last-used";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
let tenant: string;
let userId: string;
let session: Headers;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] }));
  session = (await makeSession(tenant, userId)).headers;
});

const at = (apiKeyId: string, verb = "") =>
  `/v1/user/profile/api-keys/${apiKeyId}${verb && `/${verb}`}`;
const act = (apiKeyId: string, verb: string, body?: unknown) =>
  send(`POST ${at(apiKeyId, verb)}`, { headers: session, ...(body === undefined ? {} : { body }) });
const show = async (apiKeyId: string) =>
  (await send(`GET ${at(apiKeyId)}`, { headers: session })).body;
const use = (apiKey: string, headers: Headers = {}) =>
  send("GET /v1/user/list?limit=1", {
    headers: { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey, ...headers },
  });
const statusOf = async (apiKey: string) => (await use(apiKey)).status;

describe("PATCH", () => {
  const change = (apiKeyId: string, body: unknown) =>
    send(`PATCH ${at(apiKeyId)}`, { headers: session, body });

  test("200: another name, an earlier expiry, both in the audit trail; 400: a later expiry; 409: a name in use, or a revoked key", async () => {
    const key = await makeApiKey(tenant, userId, { validTo: new Date(inDays(20)) });
    const validTo = inDays(10);
    expect((await change(key.apiKeyId, { name: "renamed", validTo })).body).toMatchObject({
      name: "renamed",
      validTo,
    });
    const later = await change(key.apiKeyId, { validTo: inDays(11) });
    expect([later.status, later.body.reason]).toEqual([400, "/validTo"]);
    const other = await makeApiKey(tenant, userId);
    const taken = await change(other.apiKeyId, { name: "RENAMED" });
    expect([taken.status, taken.body.code]).toEqual([409, "api-key.name-taken"]);
    await send(`DELETE ${at(other.apiKeyId)}`, { headers: session });
    expect((await change(other.apiKeyId, { name: "late" })).body.code).toBe("api-key.revoked");
  });
});

describe("rotation", () => {
  test("200: one id, two secrets during the overlap, 401 for the first after it", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId, {
      validTo: new Date(inDays(30)),
    });
    expect(await statusOf(apiKey)).toBe(200);
    const rotated = await act(apiKeyId, "rotate", { overlap: "PT50S" });
    expect(Object.keys(rotated.body).sort()).toEqual([
      "apiKey",
      "apiKeyId",
      "previousValidTo",
      "validTo",
    ]);
    expect(rotated.body.apiKeyId).toBe(apiKeyId);
    expect([await statusOf(apiKey), await statusOf(rotated.body.apiKey)]).toEqual([200, 200]);
    expect((await show(apiKeyId)).previousValidTo).toBe(rotated.body.previousValidTo);
    vi.useFakeTimers({ now: Date.parse(rotated.body.previousValidTo) + 100, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const late = await use(apiKey);
    expect([late.status, late.body.code, await statusOf(rotated.body.apiKey)]).toEqual([
      401,
      "auth.credentials-invalid",
      200,
    ]);
    expect((await show(apiKeyId)).previousValidTo).toBeNull();
  });

  test("no request fails under load: callers with either secret are served during and after the rotation", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const fetchMany = async (secret: string) => {
      const statuses = [];
      for (let n = 0; n < 30; n += 1) statuses.push(await statusOf(secret));
      return statuses;
    };
    const old = Array.from({ length: 8 }, () => fetchMany(apiKey));
    const rotated = await act(apiKeyId, "rotate");
    const fresh = Array.from({ length: 4 }, () => fetchMany(rotated.body.apiKey));
    const statuses = (await Promise.all([...old, ...fresh])).flat();
    expect(statuses).toEqual(Array(360).fill(200));
  });

  test("callers with the old secret are reported until it is retired", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    await act(apiKeyId, "rotate");
    await use(apiKey, { "User-Agent": "old-importer/1.0" });
    await flushUses(true);
    expect((await show(apiKeyId)).previousUses).toMatchObject([
      { address: "127.0.0.1", agent: "old-importer/1.0" },
    ]);
    expect((await act(apiKeyId, "retire-previous")).body.previousValidTo).toBeNull();
    expect(await statusOf(apiKey)).toBe(401);
    expect((await show(apiKeyId)).previousUses).toEqual([]);
  });

  test.each([
    [{ overlap: "tomorrow" }, "/overlap"],
    [{ overlap: "P31D" }, "/overlap"],
    [{ validTo: inDays(-1) }, "/validTo"],
    [{ validTo: inDays(400) }, "/validTo"],
  ])("400: %j at %s", async (body, reason) => {
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const answer = await act(apiKeyId, "rotate", body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });

  test("409: an expired key; and the secret is never replayed", async () => {
    const expired = await makeApiKey(tenant, userId, { validTo: new Date(Date.now() - 1000) });
    expect((await act(expired.apiKeyId, "rotate", { validTo: inDays(3) })).body.code).toBe(
      "api-key.expired",
    );
    const { apiKeyId } = await makeApiKey(tenant, userId);
    const headers = { ...session, "Idempotency-Key": "rotation" };
    await send(`POST ${at(apiKeyId, "rotate")}`, { headers, body: {} });
    const again = await send(`POST ${at(apiKeyId, "rotate")}`, { headers, body: {} });
    expect([again.status, again.body.reason]).toEqual([409, apiKeyId]);
  });

  test("401: an API key cannot rotate itself; 404: another user's key", async () => {
    const key = await makeApiKey(tenant, userId);
    expect(
      (await send(`POST ${at(key.apiKeyId, "rotate")}`, { headers: key.headers, body: {} })).status,
    ).toBe(401);
    const other = await makeUser(tenant, { roleIds: ["portal.default"] });
    expect(
      (await act((await makeApiKey(tenant, other.userId)).apiKeyId, "rotate", {})).status,
    ).toBe(404);
  });
});

test("suspend and resume: 403 in between, 200 with the new state", async () => {
  const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
  expect((await act(apiKeyId, "suspend")).body.status).toBe("suspended");
  expect((await use(apiKey)).body.code).toBe("auth.api-key-suspended");
  expect((await act(apiKeyId, "resume")).body.status).toBe("active");
  expect(await statusOf(apiKey)).toBe(200);
});

describe("a leak report", () => {
  const report = (apiKey: string) =>
    send("POST /v1/user/api-keys/report-leak", { body: { apiKey } });

  test("202 always; a valid key is suspended, and resumed only after a rotation without an overlap", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const typo = `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}`;
    const answers = [
      await report(typo),
      await report("anything"),
      await report(apiKey),
      await report(apiKey),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(4).fill([202, ""]));
    expect((await report("x".repeat(5000))).status).toBe(202);
    expect((await use(apiKey)).body.code).toBe("auth.api-key-suspended");
    expect(await show(apiKeyId)).toMatchObject({ status: "suspended", rotationRequired: true });
    const resumed = await act(apiKeyId, "resume");
    expect([resumed.status, resumed.body.code]).toEqual([409, "api-key.rotation-required"]);
    const rotated = await act(apiKeyId, "rotate", { overlap: "P1D" });
    expect((await act(apiKeyId, "resume")).body.status).toBe("active");
    expect([await statusOf(apiKey), await statusOf(rotated.body.apiKey)]).toEqual([401, 200]);
    const admin = await makeApiKey(
      tenant,
      (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
    );
    const trail = await send(
      `GET /v1/audit/events?action=api-key.leak-reported&target=${apiKeyId}`,
      { headers: admin.headers },
    );
    expect(trail.body).toMatchObject([
      { actor: { type: "system" }, changes: { status: { before: "active", after: "suspended" } } },
    ]);
  });

  test("for the secret before a rotation: that one ends, the new one stays valid", async () => {
    const { apiKey, apiKeyId } = await makeApiKey(tenant, userId);
    const rotated = await act(apiKeyId, "rotate", {});
    await report(apiKey);
    expect([await statusOf(apiKey), await statusOf(rotated.body.apiKey)]).toEqual([401, 200]);
  });

  test("400: no key in the body", async () => {
    const answer = await send("POST /v1/user/api-keys/report-leak", { body: {} });
    expect([answer.status, answer.body.reason]).toEqual([400, "/apiKey"]);
  });
});

describe("X-Service-API-Key-Expires", () => {
  test("sent from 14 days before its expiry, on rejections too, and never earlier", async () => {
    const near = await makeApiKey(tenant, userId, { validTo: new Date(inDays(13)) });
    const { body } = await send(`GET ${at(near.apiKeyId)}`, { headers: session });
    expect((await use(near.apiKey)).headers.get("x-service-api-key-expires")).toBe(body.validTo);
    const refused = await send("GET /v1/audit/events?limit=nonsense", { headers: near.headers });
    expect([refused.status, refused.headers.get("x-service-api-key-expires")]).toEqual([
      400,
      body.validTo,
    ]);
    const far = await makeApiKey(tenant, userId, { validTo: new Date(inDays(15)) });
    expect((await use(far.apiKey)).headers.get("x-service-api-key-expires")).toBeNull();
  });
});

describe("a narrowed key", () => {
  const make = (body: object) =>
    send("POST /v1/user/profile/api-keys", {
      headers: session,
      body: { validTo: inDays(1), ...body },
    });

  test("403 outside its permissions and sites, 200 within", async () => {
    const { body: narrow } = await make({ name: "only audit", permissions: ["audit.read"] });
    expect((await use(narrow.apiKey)).body).toMatchObject({
      code: "auth.api-key-restricted",
      reason: "user.read",
    });
    const headers = { "X-Service-Tenant": tenant, "X-Service-API-Key": narrow.apiKey };
    expect((await send("GET /v1/audit/events", { headers })).status).toBe(200);
    const { body: atOne } = await make({ name: "only one", sites: ["one"] });
    const statuses = [];
    for (const site of ["", "one", "two"])
      statuses.push(
        (await use(atOne.apiKey, site === "" ? {} : { "X-Service-Site": site })).status,
      );
    expect(statuses).toEqual([403, 200, 403]);
    expect(await show(narrow.apiKeyId)).toMatchObject({ permissions: ["audit.read"], sites: null });
  });

  test("400: an unknown permission or site", async () => {
    expect((await make({ name: "x", permissions: ["user.everything"] })).body.reason).toBe(
      "/permissions/0",
    );
    expect((await make({ name: "x", sites: ["nowhere"] })).body).toMatchObject({
      code: "site.unknown",
      reason: "/sites/0",
    });
  });
});
