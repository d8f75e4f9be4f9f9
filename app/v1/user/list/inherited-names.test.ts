import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const site = "constructor";
let tenant: string;

beforeAll(async () => {
  tenant = await makeTenant({ siteIds: [site, "one"] });
});

async function at(sites: Record<string, string[]>, roleIds: string[] = []) {
  const { userId } = await makeUser(tenant, { sites, roleIds });
  const { headers } = await makeSession(tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": site } };
}

describe("a site may be named like a property that every object has", () => {
  test("200: a role there applies there, is shown, and is the only one shown", async () => {
    const { userId, headers } = await at({ [site]: ["portal.users.mgmt"] });
    await at({ one: ["portal.default"] });
    const { status, body } = await send("GET /v1/user/list", { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        id: userId,
        userRoles: { [tenant]: { sites: { [site]: { roleIds: ["portal.users.mgmt"] } } } },
      },
    ]);
  });

  test("403: without a role there", async () => {
    const { headers } = await at({ one: ["portal.users.mgmt"] });
    const answer = await send("GET /v1/user/list", { headers });
    expect([answer.status, answer.body.code]).toEqual([403, "auth.permission-missing"]);
    const { login } = await makeUser(tenant, {
      sites: { one: ["portal.default"] },
      password: "four words in a row",
    });
    const body = { login, tenant, password: "four words in a row", site };
    const signIn = await send("POST /v1/user/session-login", {
      headers: { "X-Service-Tenant": tenant },
      body,
    });
    expect([signIn.status, signIn.body.code]).toEqual([403, "user.no-role"]);
  });

  test("404: its manager does not see users without a role there, and sets the roles there of the others", async () => {
    const manager = await at({ [site]: ["portal.users.mgmt"] });
    const [elsewhere, there] = [
      await at({ one: ["portal.default"] }),
      await at({ [site]: ["portal.default"] }),
    ];
    expect(
      (await send(`GET /v1/user/${elsewhere.userId}`, { headers: manager.headers })).status,
    ).toBe(404);
    const headers = { ...manager.headers, "If-Match": "*" };
    const body = { roleIds: [], sites: { [site]: { roleIds: ["portal.qa.mgmt"] } } };
    const answer = await send(`PUT /v1/user/${there.userId}/roles`, { headers, body });
    expect([answer.status, answer.body]).toEqual([200, body]);
  });
});
