import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;
type Person = { userId: string; login: string; headers: Headers; apiKeyId: string };

const send = testServer();
let tenant: string;
let admin: Person;
let low: Person;
let siteManager: Person;

async function person(given: Parameters<typeof makeUser>[1], where = tenant): Promise<Person> {
  const { userId, login } = await makeUser(where, given);
  const { headers, apiKeyId } = await makeApiKey(where, userId);
  return { userId, login, headers, apiKeyId };
}

beforeAll(async () => {
  tenant = await makeTenant();
  admin = await person({ login: "admin", roleIds: ["tenant.admin"] });
  low = await person({
    login: "low",
    roleIds: ["portal.default"],
    sites: { one: ["portal.pim.mgmt"] },
  });
  siteManager = await person({ login: "site-manager", sites: { one: ["portal.users.mgmt"] } });
});

const explain = (body: unknown, headers = admin.headers) =>
  send("POST /v1/access/explain", { headers, body });
const put = "PUT /pim/preview/{key}/configuration";

describe("POST /v1/access/explain, 200", () => {
  test("names the role and the site that allow it, and what is missing at another site", async () => {
    const atSite = await explain({ userId: low.userId, operation: put, site: "one" });
    expect(atSite.body).toMatchObject({
      allowed: true,
      because: [
        { role: "portal.pim.mgmt", site: "one", permission: "preview.configuration.write" },
      ],
      missing: [],
      blockedBy: [],
    });
    const elsewhere = await explain({ userId: low.userId, operation: put, site: "two" });
    expect(elsewhere.body).toEqual({
      allowed: false,
      because: [],
      missing: ["preview.configuration.write"],
      blockedBy: [],
    });
  });

  test("reports all missing conditions at once", async () => {
    const locked = await person({ roleIds: ["portal.default"], row: { isLocked: true } });
    const { body } = await explain({
      apiKeyId: locked.apiKeyId,
      operation: "PUT /v1/tenant/security-policy",
    });
    expect(body).toMatchObject({ allowed: false, missing: ["tenant.manage"] });
    expect(body.blockedBy.map((one: { code: string }) => one.code)).toEqual([
      "auth.scheme-not-accepted",
      "user.locked",
    ]);
  });

  test("answers about a permission of another service, in the whole tenant and at a site", async () => {
    const orders = await person({ sites: { one: ["portal.order.mgmt"] } });
    const question = { userId: orders.userId, permission: "order.manage" };
    expect((await explain({ ...question, site: "one" })).body).toMatchObject({
      allowed: true,
      because: [{ role: "portal.order.mgmt", site: "one", permission: "order.manage" }],
    });
    expect((await explain(question)).body).toMatchObject({
      allowed: false,
      missing: ["order.manage"],
    });
    const both = { ...question, operation: put };
    for (const body of [both, { userId: orders.userId }, { ...question, permission: "x.manage" }])
      expect((await explain(body)).status).toBe(400);
  });

  test("every caller may query themselves and their own keys", async () => {
    expect(
      (await explain({ userId: low.userId, operation: "GET /v1/user/list" }, low.headers)).body
        .missing,
    ).toEqual(["user.read"]);
    expect(
      (await explain({ apiKeyId: low.apiKeyId, operation: "GET /v1/user/profile" }, low.headers))
        .body.allowed,
    ).toBe(true);
  });

  test("a site's manager may query the site's users there, and sees none of their roles elsewhere", async () => {
    const headers = { ...siteManager.headers, "X-Service-Site": "one" };
    const question = { userId: low.userId, operation: "GET /v1/user/profile", site: "one" };
    const { body } = await explain(question, headers);
    expect(body).toMatchObject({
      allowed: true,
      because: [{ role: "portal.pim.mgmt", site: "one" }],
    });
    expect(body.because).toHaveLength(1);
    expect((await explain({ ...question, site: "two" }, headers)).status).toBe(403);
    expect((await explain({ ...question, userId: admin.userId }, headers)).body.code).toBe(
      "user.not-found",
    );
  });
});

describe("POST /v1/access/explain, rejected", () => {
  test.each([
    [{ operation: "GET /v1/user/list" }, "/userId"],
    [{ userId: "u", apiKeyId: "k", operation: "GET /v1/user/list" }, "/userId"],
    [{ userId: "u" }, "/operation"],
  ])("400: %j", async (body, reason) => {
    expect((await explain(body)).body.reason).toBe(reason);
  });

  test("400: an unknown operation", async () => {
    const answer = await explain({ userId: admin.userId, operation: "GET /v1/nothing" });
    expect([answer.status, answer.body.reason]).toEqual([400, "/operation"]);
  });

  test("403: another user, without user.read, whether or not that user exists", async () => {
    for (const userId of [admin.userId, "user_nobody"]) {
      const answer = await explain({ userId, operation: put }, low.headers);
      expect([answer.status, answer.body.reason]).toEqual([403, "user.read"]);
    }
  });

  test("404: a user and a key of another tenant", async () => {
    const foreign = await person({ roleIds: ["tenant.admin"] }, await makeTenant());
    expect((await explain({ userId: foreign.userId, operation: put })).body.code).toBe(
      "user.not-found",
    );
    expect((await explain({ apiKeyId: foreign.apiKeyId, operation: put })).body.code).toBe(
      "api-key.not-found",
    );
  });
});

describe("GET /v1/access/holders", () => {
  const holders = async (query: string, headers = admin.headers) =>
    (await send(`GET /v1/access/holders?${query}`, { headers })).body;

  test("200: holders in the tenant, with a site also its holders, each with the roles that give it", async () => {
    const summary = (list: { login: string; roles: unknown[] }[]) =>
      list.map(({ login, roles }) => [login, roles]);
    const inTenant = ["admin", [{ role: "tenant.admin" }]];
    expect(summary(await holders("permission=preview.configuration.write"))).toEqual([inTenant]);
    expect(summary(await holders("permission=preview.configuration.write&site=one"))).toEqual([
      inTenant,
      ["low", [{ role: "portal.pim.mgmt", site: "one" }]],
    ]);
  });

  test("200: a site's manager sees that site's holders only; paging returns each holder once", async () => {
    const headers = { ...siteManager.headers, "X-Service-Site": "one" };
    expect(
      (await holders("permission=user.read", headers)).map((one: { login: string }) => one.login),
    ).toEqual(["site-manager"]);
    const first = await send("GET /v1/access/holders?permission=user.read&site=one&limit=1", {
      headers: admin.headers,
    });
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1];
    const second = await send(`GET ${next}`, { headers: admin.headers });
    expect([...first.body, ...second.body].map(({ login }) => login)).toEqual([
      "admin",
      "site-manager",
    ]);
    expect(second.headers.get("link")).toBeNull();
  });

  test("400: an unknown permission; 403: without user.read", async () => {
    expect((await holders("permission=king")).reason).toBe("?permission");
    expect((await holders("permission=user.read", low.headers)).reason).toBe("user.read");
  });
});
