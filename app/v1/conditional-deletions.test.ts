import { beforeAll, describe, expect, test } from "vitest";
import { type IsolationWorld, makeIsolationWorld } from "@/lib/catalogue/testing/isolation-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession } from "@/lib/setup/testing/factories";

const send = testServer();

let world: IsolationWorld;
let headers: Record<string, string>;

beforeAll(async () => {
  world = await makeIsolationWorld(send);
  const session = await makeSession(world.tenant, world.adminId);
  headers = { ...session.headers, "X-Service-Site": "one" };
});

/** Each resource is created for the one test that deletes it. */
const deletable: { template: string; create: () => Promise<string>; body?: unknown }[] = [
  {
    template: "/v1/tenant/sites/{id}",
    create: async () => {
      const id = `brief-${Math.random().toString(36).slice(2, 8)}`;
      await send("POST /v1/tenant/sites", { headers, body: { id, name: id } });
      return `/v1/tenant/sites/${id}`;
    },
  },
  {
    template: "/v1/user/profile/api-keys/{apiKeyId}",
    create: async () =>
      `/v1/user/profile/api-keys/${(await makeApiKey(world.tenant, world.adminId)).apiKeyId}`,
  },
  {
    template: "/v1/customers/{id}",
    create: async () => `/v1/customers/${world.customerId}`,
    body: { reason: "on request" },
  },
];

describe.each(deletable)("DELETE $template", ({ create, body }) => {
  test("412 for another ETag, 400 without one, 204 for the current one", async () => {
    const path = await create();
    const remove = (condition: string) =>
      send(`DELETE ${path}`, { headers: { ...headers, "If-Match": condition }, body });
    const { headers: shown } = await send(`GET ${path}`, { headers });
    const rejected = await remove('"other"');
    expect([rejected.status, rejected.body.code]).toEqual([412, "precondition.failed"]);
    expect(rejected.headers.get("etag")).toBe(shown.get("etag"));
    expect((await remove("zzz")).status).toBe(400);
    expect((await send(`GET ${path}`, { headers })).headers.get("etag")).toBe(shown.get("etag"));
    expect((await remove(shown.get("etag") ?? "")).status).toBe(204);
  });
});

test("DELETE /v1/user/session: 412 for another ETag, 204 for the current one", async () => {
  const own = (await makeSession(world.tenant, world.adminId)).headers;
  const remove = (condition: string) =>
    send("DELETE /v1/user/session", { headers: { ...own, "If-Match": condition } });
  const etag = (await send("GET /v1/user/session", { headers: own })).headers.get("etag") ?? "";
  expect((await remove('"other"')).status).toBe(412);
  expect((await send("GET /v1/user/session", { headers: own })).headers.get("etag")).toBe(etag);
  expect((await remove(etag)).status).toBe(204);
});

test("412 for If-Match on a resource without an ETag: nothing is deleted", async () => {
  const session = await makeSession(world.tenant, world.adminId);
  const path = `/v1/user/sessions/${session.sessionRef}`;
  const conditional = { ...headers, "If-Match": '"some"' };
  expect((await send(`DELETE ${path}`, { headers: conditional })).status).toBe(412);
  expect((await send(`DELETE ${path}`, { headers })).status).toBe(204);
});
