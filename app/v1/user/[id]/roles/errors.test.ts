import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  makeSignedInUser,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let admin: { userId: string; headers: Headers };
let manager: { userId: string; headers: Headers };
let siteManager: { userId: string; headers: Headers };

const signedIn = (given: NewUser, home = tenant) => makeSignedInUser(home, given);

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
  manager = await signedIn({ roleIds: ["portal.users.mgmt"] });
  const atOne = await signedIn({ sites: { one: ["portal.users.mgmt"] } });
  siteManager = { ...atOne, headers: { ...atOne.headers, "X-Service-Site": "one" } };
});

const roles = (roleIds: string[], sites: Record<string, string[]> = {}) => ({
  roleIds,
  sites: Object.fromEntries(Object.entries(sites).map(([site, ids]) => [site, { roleIds: ids }])),
});
const show = (userId: string, headers: Headers) =>
  send(`GET /v1/user/${userId}/roles`, { headers });

/** Reads the ETag and writes with it, as a client should. */
async function set(userId: string, headers: Headers, body: unknown) {
  const { headers: read } = await show(userId, headers);
  return send(`PUT /v1/user/${userId}/roles`, {
    headers: { ...headers, "If-Match": read.get("etag") ?? "*" },
    body,
  });
}

describe("400", () => {
  test.each([
    [roles(["portal.nothing.mgmt"]), "/roleIds/0", "request.validation-failed"],
    [roles([], { nowhere: ["portal.default"] }), "/sites/nowhere", "site.unknown"],
    [{ sites: {} }, "/roleIds", "request.validation-failed"],
    [
      JSON.parse('{"roleIds":[],"sites":{"__proto__":{"roleIds":["portal.default"]}}}'),
      "/sites/__proto__",
      "request.validation-failed",
    ],
    [JSON.parse('{"roleIds":[],"__proto__":{}}'), "/__proto__", "request.validation-failed"],
    [roles([], { constructor: ["portal.default"] }), "/sites/constructor", "site.unknown"],
  ])("%j", async (body, reason, code) => {
    const answer = await set(manager.userId, admin.headers, body);
    expect([answer.status, answer.body.reason, answer.body.code]).toEqual([400, reason, code]);
  });

  test("an invalid site id is reported in a sentence", async () => {
    const { body } = await set(
      manager.userId,
      admin.headers,
      roles([], { toString: ["portal.default"] }),
    );
    expect(body.detail).toBe(
      "/sites/toString must be 1 to 63 lower-case letters, digits and single hyphens.",
    );
  });
});

describe("403", () => {
  test("user.manage grants every role except tenant.admin; portal.users.mgmt requires itself or tenant.admin, at the same place", async () => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.default"] } });
    const refused = await set(
      userId,
      manager.headers,
      roles(["tenant.admin"], { one: ["portal.default"] }),
    );
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([
      403,
      "role.not-grantable",
      "tenant.admin",
    ]);
    const atSite = await set(
      userId,
      siteManager.headers,
      roles([], { one: ["portal.default", "tenant.admin"] }),
    );
    expect(atSite.body.reason).toBe("tenant.admin");
    expect(
      (
        await set(
          userId,
          siteManager.headers,
          roles([], { one: ["portal.default", "portal.users.mgmt"] }),
        )
      ).status,
    ).toBe(200);
    expect((await set(userId, manager.headers, roles(["portal.users.mgmt"]))).status).toBe(200);
    expect((await set(userId, admin.headers, roles(["tenant.admin"]))).status).toBe(200);
    expect((await set(userId, manager.headers, roles([]))).body.code).toBe("user.admin-only");
  });

  test.each([
    ["the whole tenant", roles(["portal.qa.mgmt"], { one: ["portal.default"] })],
    ["another site", roles([], { one: ["portal.default"], two: ["portal.qa.mgmt"] })],
  ])("a site's manager grants nothing for %s", async (_, wanted) => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.default"] } });
    const answer = await set(userId, siteManager.headers, wanted);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "auth.permission-missing",
      "user.manage",
    ]);
  });

  test("users cannot demote themselves or a system user", async () => {
    expect((await set(manager.userId, manager.headers, roles([]))).body.code).toBe("user.oneself");
    const system = await makeUser(tenant, { roleIds: ["portal.default"], row: { isSystem: true } });
    expect((await set(system.userId, admin.headers, roles([]))).body.code).toBe("user.system");
  });

  test.each([
    ["in the tenant", roles(["portal.users.mgmt", "portal.customers.mgmt"])],
    ["without a permission", roles(["portal.users.mgmt", "portal.default"])],
    ["that are guarded", roles(["portal.users.mgmt", "tenant.admin"])],
    ["at a site", roles(["portal.users.mgmt"], { one: ["portal.customers.mgmt"] })],
  ])("a manager gives oneself no roles %s", async (_, wanted) => {
    const answer = await set(manager.userId, manager.headers, wanted);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "user.oneself",
      "user.manage",
    ]);
    expect((await set(manager.userId, manager.headers, roles(["portal.users.mgmt"]))).status).toBe(
      200,
    );
  });

  test("a site's manager cannot grant themselves roles at the site; a tenant.admin may", async () => {
    const raised = roles([], { one: ["portal.users.mgmt", "portal.customers.mgmt"] });
    expect((await set(siteManager.userId, siteManager.headers, raised)).body.code).toBe(
      "user.oneself",
    );
    expect(
      (await set(admin.userId, admin.headers, roles(["tenant.admin", "portal.customers.mgmt"])))
        .status,
    ).toBe(200);
  });

  test("a manager gives a service user with a key no permission that the manager lacks, who may know the secret", async () => {
    const { userId } = await makeUser(tenant, {
      roleIds: ["portal.default"],
      row: { kind: "service" },
    });
    const raised = roles(["portal.default", "portal.customers.mgmt"]);
    const made = await send(`POST /v1/user/${userId}/api-keys`, {
      headers: manager.headers,
      body: { name: "bridge", validTo: new Date(Date.now() + 86_400_000).toISOString() },
    });
    expect(made.status).toBe(200);
    const refused = await set(userId, manager.headers, raised);
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([
      403,
      "auth.permission-missing",
      "customer.read",
    ]);
    expect(
      (await set(userId, manager.headers, roles(["portal.default", "portal.users.mgmt"]))).status,
    ).toBe(200);
    await send(`POST /v1/user/api-keys/${made.body.apiKeyId}/revoke`, { headers: manager.headers });
    expect((await set(userId, manager.headers, raised)).status).toBe(200);
  });
});

test("412 and 428: of two managers who read the same roles, the second gets 412; without If-Match nothing is written", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const etag = (await show(userId, admin.headers)).headers.get("etag") ?? "";
  const put = (headers: Headers, ids: string[]) =>
    send(`PUT /v1/user/${userId}/roles`, { headers, body: roles(ids) });
  expect((await put({ ...admin.headers, "If-Match": etag }, ["portal.qa.mgmt"])).status).toBe(200);
  const second = await put({ ...manager.headers, "If-Match": etag }, ["portal.pim.mgmt"]);
  expect([second.status, second.body.code]).toEqual([412, "precondition.failed"]);
  const third = await put(manager.headers, ["portal.pim.mgmt"]);
  expect([third.status, third.body.code, third.body.reason]).toEqual([
    428,
    "precondition.required",
    "If-Match",
  ]);
  expect((await show(userId, admin.headers)).body).toEqual(roles(["portal.qa.mgmt"]));
});
