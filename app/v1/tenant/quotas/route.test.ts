import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: Headers;
let userId: string;
let support: Headers;

beforeAll(async () => {
  tenant = await makeTenant();
  userId = (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId;
  admin = { ...(await makeSession(tenant, userId)).headers, "X-Service-Site": "one" };
  const platform = await makeTenant({ siteIds: [] });
  const system = await makeUser(platform, { roleIds: ["tenant.admin"], row: { isSystem: true } });
  support = (await makeSession(platform, system.userId)).headers;
});

const setLimit = (quota: string, limit: number | null, headers = support) =>
  send(`PUT /v1/tenants/${tenant}/quotas/${quota}`, { headers, body: { limit } });

async function quota(name: string): Promise<{ limit: number; used: number; isDefault: boolean }> {
  const { body } = await send("GET /v1/tenant/quotas", { headers: admin });
  return body.find((one: { quota: string }) => one.quota === name);
}

const exceeded = (name: string) => ({
  status: 429,
  body: { code: "quota.exceeded", reason: name },
});

const validTo = () => new Date(Date.now() + 3_600_000).toISOString();

describe("200", () => {
  test("a tenant reads its own limits and usage, support those of any tenant", async () => {
    expect(await quota("sites")).toEqual({
      quota: "sites",
      limit: 20,
      isDefault: true,
      used: 2,
      unit: "count",
    });
    const all = await send(`GET /v1/tenants/${tenant}/quotas`, { headers: support });
    expect(all.body).toEqual((await send("GET /v1/tenant/quotas", { headers: admin })).body);
  });

  test("support sets a limit, which the tenant's audit trail shows, and removes it", async () => {
    expect((await setLimit("sites", 77)).body).toMatchObject({ limit: 77, isDefault: false });
    expect(await quota("sites")).toMatchObject({ limit: 77, isDefault: false });
    const trail = await send("GET /v1/audit/events?action=tenant.quota-changed", {
      headers: admin,
    });
    expect(trail.body[0]).toMatchObject({
      target: { id: tenant, name: "sites" },
      changes: { limit: { before: null, after: 77 } },
    });
    expect((await setLimit("sites", null)).body).toMatchObject({ limit: 20, isDefault: true });
  });
});

describe("429", () => {
  test("keys: 20 concurrent creations do not exceed the limit", async () => {
    await setLimit("user-keys", 5);
    const create = (name: string) =>
      send("POST /v1/user/profile/api-keys", {
        headers: admin,
        body: { name, validTo: validTo() },
      });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(`key ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(exceeded("user-keys"));
    expect((await quota("user-keys")).used).toBe(5);
  });

  test("sites, users and links", async () => {
    await setLimit("sites", 3);
    const site = (id: string) =>
      send("POST /v1/tenant/sites", { headers: admin, body: { id, name: id } });
    expect((await site("three")).status).toBe(201);
    expect(await site("four")).toMatchObject(exceeded("sites"));
    const invite = (login: string) =>
      send("POST /v1/user/invitations", {
        headers: admin,
        body: {
          login,
          name: login,
          emailAddress: `${login}@example.com`,
          roles: { roleIds: ["portal.default"], sites: {} },
        },
      });
    await setLimit("links", 1);
    expect((await invite("ann")).status).toBe(201);
    expect(await invite("bob")).toMatchObject(exceeded("links"));
    await setLimit("links", null);
    await setLimit("users", (await quota("users")).used);
    expect(await invite("bob")).toMatchObject(exceeded("users"));
    expect((await quota("users")).used).toBe(2);
  });

  test("a customer beyond the limit cannot register, but can after another was deleted", async () => {
    await setLimit("customers", 1);
    const at = { "X-Service-Tenant": tenant, "X-Service-Site": "one" };
    const anonymous = await send("POST /v1/customer/login/anonymous-token", { headers: at });
    const as = (token: string) => ({ ...at, Authorization: `Bearer ${token}` });
    const register = (login: string) =>
      send("POST /v1/customer/registration", {
        headers: as(anonymous.body.accessToken),
        body: { login, password: "four words in a row" },
      });
    expect((await register("first")).status).toBe(201);
    expect(await register("second")).toMatchObject(exceeded("customers"));
    const { body } = await send("POST /v1/customer/login/token", {
      headers: as(anonymous.body.accessToken),
      body: { login: "first", password: "four words in a row" },
    });
    await send("DELETE /v1/customer/profile", { headers: as(body.accessToken) });
    expect((await register("second")).status).toBe(201);
  });
});

test("429: reported cells have a daily quota, with Retry-After until the next day; repeated batches count once", async () => {
  stopClock();
  const cell = (minutes: number) => ({
    time: new Date(Date.now() - minutes * 60_000).toISOString(),
    ...{ domain: "search", endpoint: "/search", method: "GET", status: 200, count: 1 },
  });
  const report = (batchId: string, cells: object[]) =>
    send("POST /v1/api-metrics/events", { headers: admin, body: { batchId, cells } });
  await setLimit("metric-cells", 3);
  const first = [cell(10), cell(20)];
  for (let n = 0; n < 3; n += 1) expect((await report("batch-1", first)).status).toBe(202);
  expect((await quota("metric-cells")).used).toBe(2);
  const refused = await report("batch-2", [cell(30), cell(40)]);
  expect(refused).toMatchObject(exceeded("metric-cells"));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await report("batch-3", [cell(30)])).status).toBe(202);
  await setLimit("metric-cells", null);
});

describe("previews", () => {
  const path = "/pim/preview";
  const bytes = 1000;
  const put = (key: string, n: number) =>
    send(`PUT ${path}/${key}/configuration`, {
      headers: { ...admin, "Content-Type": "application/json" },
      raw: JSON.stringify({ n, text: "x".repeat(bytes) }),
    });
  const create = (key: string) =>
    send(`POST ${path}`, {
      headers: admin,
      body: { key, configuration: { text: "x".repeat(bytes) } },
    });

  test("201: deleting a configuration frees space for a new one; 429: no deleted ones are left to purge", async () => {
    await setLimit("preview-configurations", (await quota("preview-configurations")).used + 1);
    expect((await create("first-build")).status).toBe(201);
    await send(`DELETE ${path}/first-build`, { headers: admin });
    expect((await create("second-build")).status).toBe(201);
    expect(await create("third-build")).toMatchObject(exceeded("preview-configurations"));
    await send(`DELETE ${path}/second-build`, { headers: admin });
    await setLimit("preview-configurations", null);
  });

  test("429: no deleted configuration is restored over the tenant's limit; 200 once there is space", async () => {
    expect((await create("regretted")).status).toBe(201);
    await send(`DELETE ${path}/regretted`, { headers: admin });
    const restore = () => send(`POST ${path}/regretted/restore`, { headers: admin });
    for (const name of ["preview-configurations", "preview-bytes"]) {
      await setLimit(name, (await quota(name)).used - 1);
      expect(await restore()).toMatchObject(exceeded(name));
      await setLimit(name, null);
    }
    expect((await restore()).status).toBe(200);
    await send(`DELETE ${path}/regretted`, { headers: admin });
  });

  test("429: no more bytes than the limit, whatever the number of writes", async () => {
    await setLimit("preview-bytes", 16_000);
    expect((await create("home")).status).toBe(201);
    for (let n = 0; n < 30; n += 1) expect((await put("home", n)).status).toBe(200);
    expect((await quota("preview-bytes")).used).toBeLessThanOrEqual(16_000);
    const kept = await send(`GET ${path}/home/revisions`, { headers: admin });
    expect(kept.body.length).toBeGreaterThanOrEqual(10);
    const others: number[] = [];
    for (let n = 0; n < 10; n += 1) others.push((await create(`other-${n}`)).status);
    expect(others.filter((status) => status === 429).length).toBeGreaterThan(2);
    expect(await create("other-last")).toMatchObject(exceeded("preview-bytes"));
  });

  test("200: deleted configurations are purged before a new one is rejected", async () => {
    expect((await create("late")).status).toBe(429);
    expect(
      (await send(`DELETE ${path}/home`, { headers: { ...admin, "If-Match": "*" } })).status,
    ).toBe(204);
    expect((await create("late")).status).toBe(201);
    expect((await quota("preview-bytes")).used).toBeLessThanOrEqual(16_000);
  });
});

describe("rejected", () => {
  test("403: only support sets a limit", async () => {
    expect((await setLimit("sites", 1000, admin)).status).toBe(403);
  });

  test("403: a user without tenant.read", async () => {
    const other = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { headers } = await makeApiKey(tenant, other.userId);
    expect((await send("GET /v1/tenant/quotas", { headers })).status).toBe(403);
  });

  test("404: an unknown quota or tenant", async () => {
    expect(await setLimit("cars", 1)).toMatchObject({
      status: 404,
      body: { code: "quota.not-found" },
    });
    const answer = await send("GET /v1/tenants/nobody-here/quotas", { headers: support });
    expect(answer).toMatchObject({ status: 404, body: { code: "tenant.not-found" } });
  });
});
