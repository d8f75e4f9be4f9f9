import { expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const rule = { name: "Errors", measure: "error-rate", threshold: 0.05, window: "PT1H" };

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const create = async (body: object = rule, by: Record<string, string> = headers) => {
    const answer = await send("POST /v1/alerts", { headers: by, body });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const ofRole = async (...roleIds: string[]) => {
    const other = await makeUser(tenant, { roleIds });
    return (await makeSession(tenant, other.userId)).headers;
  };
  return { tenant, userId, headers, create, ofRole };
}

test("403 to change a rule with only the permission to read metrics", async () => {
  const { create, ofRole } = await world();
  const { id } = (await create()).body;
  const headers = await ofRole("portal.analytics.mgmt");
  expect((await send(`GET /v1/alerts/${id}`, { headers })).status).toBe(200);
  expect((await send(`POST /v1/alerts/${id}/test`, { headers })).status).toBe(200);
  const changes: [string, object?][] = [
    ["POST /v1/alerts", rule],
    [`PATCH /v1/alerts/${id}`, { name: "x" }],
    [`DELETE /v1/alerts/${id}`],
    [`POST /v1/alerts/${id}/acknowledge`],
    [`POST /v1/alerts/${id}/mute`, { until: null }],
  ];
  for (const [operation, body] of changes) {
    const answer = await send(operation, { headers, ...(body ? { body } : {}) });
    expect([operation, answer.status]).toEqual([operation, 403]);
  }
});

test("401 and 403 without the permission, and for a user's key", async () => {
  const { tenant, userId, ofRole } = await world();
  const anonymous = { "X-Service-Tenant": tenant };
  expect((await send("GET /v1/alerts", { headers: anonymous })).status).toBe(401);
  const headers = await ofRole("portal.pim.mgmt");
  expect((await send("GET /v1/alerts", { headers })).status).toBe(403);
  const key = await makeApiKey(tenant, userId);
  expect((await send("GET /v1/alerts", { headers: key.headers })).status).toBe(403);
});

test("404 for an unknown or foreign rule", async () => {
  const [one, other] = [await world(), await world()];
  const { headers } = one;
  for (const id of [(await other.create()).body.id, "alr_x"]) {
    const path = `/v1/alerts/${id}`;
    const asked: [string, object?][] = [
      [`GET ${path}`],
      [`PATCH ${path}`, { name: "x" }],
      [`DELETE ${path}`],
      [`POST ${path}/test`],
      [`POST ${path}/acknowledge`],
      [`POST ${path}/mute`, { until: null }],
      [`GET ${path}/history`],
    ];
    for (const [operation, body] of asked) {
      const answer = await send(operation, { headers, ...(body ? { body } : {}) });
      expect([operation, answer.status]).toEqual([operation, 404]);
    }
  }
});

test("with authority at one site only its rules are visible, created and changed", async () => {
  const { tenant, headers: admin, create } = await world();
  const { userId } = await makeUser(tenant, { sites: { one: ["tenant.admin"] } });
  const session = await makeSession(tenant, userId);
  const headers = { ...session.headers, "X-Service-Site": "one" };
  const wide = (await create()).body.id;
  const other = (await create({ ...rule, filter: { site: "two" } })).body.id;
  const own = await create(rule, headers);
  expect(own.body.filter).toEqual({ site: "one" });
  const listed = (await send("GET /v1/alerts", { headers })).body;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([own.body.id]);
  for (const id of [wide, other]) {
    expect((await send(`GET /v1/alerts/${id}`, { headers })).status).toBe(404);
    expect((await send(`DELETE /v1/alerts/${id}`, { headers })).status).toBe(404);
    expect((await send(`GET /v1/alerts/${id}/history`, { headers })).status).toBe(404);
    const body = { until: null };
    expect((await send(`POST /v1/alerts/${id}/mute`, { headers, body })).status).toBe(404);
  }
  const elsewhere = { filter: { site: "two" } };
  const created = await send("POST /v1/alerts", { headers, body: { ...rule, ...elsewhere } });
  const path = `/v1/alerts/${own.body.id}`;
  const moved = await send(`PATCH ${path}`, { headers, body: elsewhere });
  expect([created.status, moved.status]).toEqual([400, 400]);
  const freed = await send(`PATCH ${path}`, { headers, body: { filter: {} } });
  expect(freed.body.filter).toEqual({ site: "one" });
  expect((await send("GET /v1/alerts", { headers: admin })).body.length).toBe(3);
});
