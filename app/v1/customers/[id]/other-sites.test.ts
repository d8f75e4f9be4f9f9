import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let two: Shop;
let login: string;
let id: string;
let pair: Pair;
let elsewhere: Pair;
let ofOne: Record<string, string>;
let ofBoth: Record<string, string>;
let ofTenant: Record<string, string>;

const role = "portal.customers.mgmt";

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { ...headers, "X-Service-Site": "one" };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  two = await openShop(send, { tenant: shop.tenant, site: "two" });
  ofOne = await staff({ sites: { one: [role] } });
  ofBoth = await staff({ sites: { one: [role], two: [role] } });
  ofTenant = await staff({ roleIds: [role] });
});
beforeEach(async () => {
  ({ login, id } = await shop.customer(["one", "two"]));
  pair = await shop.enter(login);
  elsewhere = await two.enter(login);
});

const bodies: Record<string, unknown> = {
  lock: { reason: "chargebacks" },
  unlock: undefined,
  "end-sessions": undefined,
  "password-token": undefined,
  reveal: { fields: ["name"], reason: "asked for by phone" },
};

const at = (verb: string, headers: Record<string, string>) =>
  send(`POST /v1/customers/${id}/${verb}`, {
    headers,
    ...(bodies[verb] === undefined ? {} : { body: bodies[verb] }),
  });
const show = (headers: Record<string, string>) => send(`GET /v1/customers/${id}`, { headers });

describe("403 with the permission at only some of the customer's sites", () => {
  test.each(Object.keys(bodies))("%s, and nothing changes", async (verb) => {
    const answer = await at(verb, ofOne);
    expect(answer.status, answer.text).toBe(403);
    expect(answer.body).toMatchObject({ code: "customer.other-sites", reason: "customer.manage" });
    expect(answer.body.detail).toContain("two");
    expect((await shop.profile(pair.accessToken)).status).toBe(200);
    expect((await two.profile(elsewhere.accessToken)).status).toBe(200);
  });

  test("unlock leaves the lock in place", async () => {
    await at("lock", ofTenant);
    expect((await at("unlock", ofOne)).status).toBe(403);
    expect((await two.profile(elsewhere.accessToken)).status).toBe(403);
  });

  test("an API key restricted to one site, of an owner with a tenant-level role", async () => {
    await send("PUT /v1/tenant/security-policy", {
      headers: await staff({ roleIds: ["tenant.admin"] }),
      body: { passwordTokensByApiKey: true },
    });
    const { userId } = await makeUser(shop.tenant, { roleIds: [role] });
    const key = await makeApiKey(shop.tenant, userId, { siteIds: ["one"] });
    const answer = await at("password-token", { ...key.headers, "X-Service-Site": "one" });
    expect([answer.status, answer.body.code]).toEqual([403, "customer.other-sites"]);
  });
});

describe("200 with the permission at each site, or a tenant-level role", () => {
  test.each(["lock", "end-sessions", "password-token", "reveal"])("%s", async (verb) => {
    for (const headers of [ofBoth, ofTenant]) {
      const answer = await at(verb, headers);
      expect(answer.status, answer.text).toBe(verb === "password-token" ? 201 : 200);
    }
  });

  test("a site-level role suffices for a customer of that site only", async () => {
    ({ login, id } = await shop.customer());
    for (const verb of ["lock", "unlock", "end-sessions", "reveal"])
      expect((await at(verb, ofOne)).status, verb).toBe(200);
  });
});

describe("GET /v1/customers/{id}", () => {
  const sitesOf = (list: { siteId: string }[]) =>
    [...new Set(list.map((one) => one.siteId))].sort();

  test("shows only sign-ins and activity of the caller's sites, and lists the sites without the permission", async () => {
    const { body } = await show(ofOne);
    expect(sitesOf(body.sessions)).toEqual(["one"]);
    expect(sitesOf(body.activity)).toEqual(["one"]);
    expect(body.unmanagedSiteIds).toEqual(["two"]);
  });

  test("shows all of them to staff of every site", async () => {
    for (const headers of [ofBoth, ofTenant]) {
      const { body } = await show(headers);
      expect(sitesOf(body.sessions)).toEqual(["one", "two"]);
      expect(sitesOf(body.activity)).toEqual(["one", "two"]);
      expect(body.unmanagedSiteIds).toEqual([]);
    }
  });
});

test("401: a token issued to a customer of one site is invalid once the customer belongs to another one too", async () => {
  ({ login, id } = await shop.customer());
  const { body } = await at("password-token", ofOne);
  await send(`PUT /v1/customers/${id}/sites/two`, { headers: ofTenant });
  const answer = await send("POST /v1/customer/password-resets/confirm", {
    headers: { ...shop.headers, ...bearer(await shop.anonymous()) },
    body: { token: body.token, password: "quite another secret" },
  });
  expect([answer.status, answer.body.code]).toEqual([401, "link.void"]);
});
