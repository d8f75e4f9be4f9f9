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

describe("200", () => {
  test("roles of tenant and sites are set, returned with a new ETag, and apply to keys at once", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const key = await makeApiKey(tenant, userId);
    const list = async () =>
      (await send("GET /v1/user/list?limit=1", { headers: key.headers })).status;
    expect(await list()).toBe(403);
    const wanted = roles(["portal.qa.mgmt", "portal.default"], {
      two: ["portal.pim.mgmt"],
      one: [],
    });
    const answer = await set(userId, admin.headers, wanted);
    expect(answer.body).toEqual(
      roles(["portal.default", "portal.qa.mgmt"], { two: ["portal.pim.mgmt"] }),
    );
    expect(answer.headers.get("etag")).toBe(
      (await show(userId, admin.headers)).headers.get("etag"),
    );
    await set(userId, admin.headers, roles(["portal.users.mgmt"]));
    expect(await list()).toBe(200);
    await set(userId, admin.headers, roles(["portal.default"]));
    expect(await list()).toBe(403);
    const { body } = await send(`GET /v1/audit/events?target=${userId}&limit=1`, {
      headers: admin.headers,
    });
    const changes = {
      roles: { before: roles(["portal.users.mgmt"]), after: roles(["portal.default"]) },
    };
    expect(body).toMatchObject([
      { action: "user.roles-changed", actor: { id: admin.userId }, changes },
    ]);
  });

  test("a site's manager sees and sets only the roles at the site; all others stay", async () => {
    const { userId } = await makeUser(tenant, {
      roleIds: ["portal.default"],
      sites: { one: ["portal.pim.mgmt"], two: ["portal.qa.mgmt"] },
    });
    expect((await show(userId, siteManager.headers)).body).toEqual(
      roles([], { one: ["portal.pim.mgmt"] }),
    );
    const answer = await set(
      userId,
      siteManager.headers,
      roles([], { one: ["portal.catalog.mgmt"] }),
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      roles([], { one: ["portal.catalog.mgmt"] }),
    ]);
    const all = roles(["portal.default"], {
      one: ["portal.catalog.mgmt"],
      two: ["portal.qa.mgmt"],
    });
    expect((await show(userId, admin.headers)).body).toEqual(all);
  });

  test("304 for a client that has the current ETag", async () => {
    const etag = (await show(manager.userId, admin.headers)).headers.get("etag") ?? "";
    const again = await send(`GET /v1/user/${manager.userId}/roles`, {
      headers: { ...admin.headers, "If-None-Match": etag },
    });
    expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
  });
});

test("304: for a client that has the current roles", async () => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const { headers } = await show(userId, admin.headers);
  const again = await show(userId, {
    ...admin.headers,
    "If-None-Match": headers.get("etag") ?? "",
  });
  expect([again.status, again.headers.get("cache-control"), again.headers.get("etag")]).toEqual([
    304,
    "no-store, no-transform",
    headers.get("etag"),
  ]);
});

test("409: of two administrators who demote each other concurrently, one stays", async () => {
  for (let round = 0; round < 5; round += 1) {
    const own = await makeTenant();
    const [one, two] = [
      await signedIn({ roleIds: ["tenant.admin"] }, own),
      await signedIn({ roleIds: ["tenant.admin"] }, own),
    ];
    const demote = (who: { userId: string }, by: { headers: Headers }) =>
      send(`PUT /v1/user/${who.userId}/roles`, {
        headers: { ...by.headers, "If-Match": "*" },
        body: roles(["portal.default"]),
      });
    const answers = await Promise.all([demote(one, two), demote(two, one)]);
    expect(answers.map(({ status, body }) => (status === 200 ? "done" : body.code)).sort()).toEqual(
      ["done", "user.last-admin"],
    );
  }
});
