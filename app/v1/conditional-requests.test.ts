import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/catalogue/operations";
import { type IsolationWorld, makeIsolationWorld } from "@/lib/catalogue/testing/isolation-world";
import { testServer } from "@/lib/http/testing/test-server";
import { methodOf, pathOf } from "@/lib/protocol/endpoint";
import { makeApiKey, makeSession } from "@/lib/setup/testing/factories";

const send = testServer();

let world: IsolationWorld;
let headers: Record<string, string>;
let ownKeyId: string;

beforeAll(async () => {
  world = await makeIsolationWorld(send);
  headers = {
    ...(await makeSession(world.tenant, world.adminId)).headers,
    "X-Service-Site": "one",
  };
  ({ apiKeyId: ownKeyId } = await makeApiKey(world.tenant, world.adminId));
});

interface Resource {
  template: string;
  path: () => string;
  /** Two consecutive changes. */
  write?: { method: "PUT" | "PATCH"; bodies: [unknown, unknown] };
}

const resources: Resource[] = [
  {
    template: "/v1/user/{id}",
    path: () => `/v1/user/${world.userId}`,
    write: { method: "PATCH", bodies: [{ name: "First" }, { name: "Second" }] },
  },
  {
    template: "/v1/user/{id}/roles",
    path: () => `/v1/user/${world.userId}/roles`,
    write: {
      method: "PUT",
      bodies: [
        { roleIds: ["portal.pim.mgmt"], sites: {} },
        { roleIds: ["portal.qa.mgmt"], sites: { one: { roleIds: ["portal.pim.mgmt"] } } },
      ],
    },
  },
  {
    template: "/v1/tenant/sites/{id}",
    path: () => `/v1/tenant/sites/${world.site}`,
    write: {
      method: "PATCH",
      bodies: [
        { name: "First", locales: ["de"] },
        { name: "Second", locales: ["en-GB"] },
      ],
    },
  },
  {
    template: "/v1/tenant",
    path: () => "/v1/tenant",
    write: { method: "PATCH", bodies: [{ name: "First" }, { name: "Second" }] },
  },
  {
    template: "/v1/tenant/security-policy",
    path: () => "/v1/tenant/security-policy",
    write: { method: "PUT", bodies: [{ sessionIdle: "PT20M" }, { customerRegistration: false }] },
  },
  {
    template: "/v1/user/preferences",
    path: () => "/v1/user/preferences",
    write: {
      method: "PUT",
      bodies: [
        { theme: "dark", locale: "en-GB" },
        { density: "compact", theme: "light" },
      ],
    },
  },
  {
    template: "/v1/user/profile/api-keys/{apiKeyId}",
    path: () => `/v1/user/profile/api-keys/${ownKeyId}`,
    write: { method: "PATCH", bodies: [{ name: "First" }, { name: "Second" }] },
  },
  { template: "/v1/user/profile", path: () => "/v1/user/profile" },
  { template: "/v1/user/api-keys/{apiKeyId}", path: () => `/v1/user/api-keys/${world.apiKeyId}` },
  { template: "/pim/preview/{key}", path: () => `/pim/preview/${world.previewKey}` },
  { template: "/v1/customers/{id}", path: () => `/v1/customers/${world.customerId}` },
  { template: "/v1/requests/{id}", path: () => `/v1/requests/${world.refusalId}` },
];

const read = (resource: Resource, more: Record<string, string> = {}) =>
  send(`GET ${resource.path()}`, { headers: { ...headers, ...more } });

const tagOf = async (resource: Resource) => (await read(resource)).headers.get("etag") ?? "";

describe.each(resources)("GET $template", (resource) => {
  test("200 with a strong ETag, which stays while nothing changes", async () => {
    const etag = await tagOf(resource);
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect(await tagOf(resource)).toBe(etag);
  });

  test("304 without a body for If-None-Match: the ETag, a weak one, a list, or *", async () => {
    const etag = await tagOf(resource);
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await read(resource, { "If-None-Match": condition });
      expect([answer.status, answer.text, answer.headers.get("etag")], condition).toEqual([
        304,
        "",
        etag,
      ]);
    }
    expect((await read(resource, { "If-None-Match": '"other"' })).status).toBe(200);
  });
});

const writable = resources.filter(({ write }) => write);

describe.each(writable)("$write.method $template", (resource) => {
  const write = (index: 0 | 1, condition: Record<string, string>) =>
    send(`${resource.write?.method} ${resource.path()}`, {
      headers: { ...headers, ...condition },
      body: resource.write?.bodies[index],
    });

  test("412 for another ETag, and for a weak one: nothing is changed", async () => {
    const etag = await tagOf(resource);
    for (const condition of ['"other"', `W/${etag}`, '"one", "two"']) {
      const answer = await write(0, { "If-Match": condition });
      expect([answer.status, answer.body.code], condition).toEqual([412, "precondition.failed"]);
      expect(answer.headers.get("etag")).toBe(etag);
    }
    expect((await write(0, { "If-None-Match": "*", "If-Match": "*" })).status).toBe(412);
    expect(await tagOf(resource)).toBe(etag);
  });

  test("400 for an ill-formed entity tag", async () => {
    const answer = await write(0, { "If-Match": "zzz" });
    expect([answer.status, answer.body.code]).toEqual([400, "precondition.invalid"]);
  });

  test("200 for the current ETag, by itself or in a list: the response has the ETag of the next read", async () => {
    const before = await tagOf(resource);
    const first = await write(0, { "If-Match": `"other", ${before}` });
    expect(first.status, first.text).toBe(200);
    const after = first.headers.get("etag") ?? "";
    expect(after).not.toBe(before);
    expect(await tagOf(resource)).toBe(after);
    expect((await write(1, { "If-Match": before })).status).toBe(412);
    const second = await write(1, { "If-Match": after });
    expect(second.status, second.text).toBe(200);
    expect(await tagOf(resource)).toBe(second.headers.get("etag"));
  });

  test("200 for any state, with *", async () => {
    expect((await write(0, { "If-Match": "*" })).status).toBe(200);
  });

  test("of several concurrent writes with the same If-Match exactly one succeeds", async () => {
    const etag = await tagOf(resource);
    const answers = await Promise.all([1, 1, 1, 1].map(() => write(1, { "If-Match": etag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });
});

describe("API keys", () => {
  test("using a key does not change an ETag", async () => {
    const key = await makeApiKey(world.tenant, world.adminId);
    const path = `/v1/user/profile/api-keys/${key.apiKeyId}`;
    const own = () => send(`GET ${path}`, { headers });
    const before = await own();
    expect((await send("GET /v1/user/profile", { headers: key.headers })).status).toBe(200);
    const after = await own();
    expect(after.body.lastUsedAt).not.toBe(before.body.lastUsedAt);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  });
});

/** Resources that are written but never read one by one: they have no ETag. */
const withoutRead = [
  "DELETE /pim/preview/{key}/comments/{id}",
  "DELETE /pim/preview/{key}/shares/{id}",
  "PATCH /pim/preview/{key}/comments/{id}",
  "DELETE /v1/customers/{id}/sites/{site}",
  "DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}",
  "DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}",
  "DELETE /v1/tenant/emergency-administrators/{id}",
  "PUT /v1/tenant/emergency-administrators/{id}",
  "GET /v1/tenant/sign-in-safety",
  "DELETE /v1/user/access-requests/{id}",
  "DELETE /v1/user/identities/{id}",
  "DELETE /v1/user/second-factors/{id}",
  "GET /v1/user/second-factors/recovery-codes",
  "GET /v1/user/sign-in-methods",
  "DELETE /v1/user/sessions",
  "DELETE /v1/user/sessions/{ref}",
  "DELETE /v1/user/{id}/sessions",
  "DELETE /v1/views/{id}",
  "PATCH /v1/views/{id}",
  "PUT /v1/user/password",
  "PUT /v1/customers/{id}/sites/{site}",
  "PUT /v1/tenants/{id}/quotas/{quota}",
];

describe("what has no ETag", () => {
  test("412 for a write with an ETag", async () => {
    const answer = await send("PUT /v1/user/password", {
      headers: { ...headers, "If-Match": '"some"' },
      body: { current: "a longer secret text 4711", password: "another longer text 4712" },
    });
    expect([answer.status, answer.body.code]).toEqual([412, "precondition.failed"]);
  });

  test("every other PUT, PATCH and DELETE, and every GET of one resource, is conditional", () => {
    const isOne = (operation: (typeof operations)[number]) =>
      methodOf(operation) === "GET" && operation.answer instanceof z.ZodObject;
    const isWrite = (operation: (typeof operations)[number]) =>
      ["PUT", "PATCH", "DELETE"].includes(methodOf(operation));
    const computed = ["/v1/api-metrics/", "/v1/audit/verify", "/v1/access/last-use"];
    const missing = operations.filter(
      (declared) =>
        !declared.conditional &&
        (isOne(declared) || isWrite(declared)) &&
        !computed.some((prefix) => pathOf(declared).startsWith(prefix)),
    );
    expect(missing.map(({ operation }) => operation).sort()).toEqual(withoutRead.sort());
  });
});

const putOperations = operations.filter(
  (declared) => methodOf(declared) === "PUT" && !declared.requires.includes("platform-user"),
);

test.each(putOperations.map(({ operation }) => operation))(
  "400 for a part of a body, which is not taken for the whole: %s",
  async (operation) => {
    const path = operation.replaceAll(/\{\w+\}/g, "x");
    const ranged = { ...headers, "Content-Range": "bytes 0-1/10" };
    const { status, body } = await send(path, { headers: ranged, body: {} });
    expect([status, body.code, body.reason]).toEqual([
      400,
      "request.header-invalid",
      "Content-Range",
    ]);
  },
);
