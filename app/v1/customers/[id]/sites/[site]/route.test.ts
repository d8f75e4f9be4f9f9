import { beforeAll, beforeEach, expect, test } from "vitest";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let one: Shop;
let two: Shop;
let care: Record<string, string>;
let login: string;
let id: string;
let pair: Pair;

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { headers } = await makeSession(one.tenant, (await makeUser(one.tenant, given)).userId);
  return { ...headers, "X-Service-Site": "one" };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  one = await openShop(send);
  two = await openShop(send, { tenant: one.tenant, site: "two" });
  care = await staff({ roleIds: ["portal.customers.mgmt"] });
});
beforeEach(async () => {
  ({ login, id } = await one.customer());
  pair = await one.enter(login);
});

const add = (site: string, headers = care) =>
  send(`PUT /v1/customers/${id}/sites/${site}`, { headers });
const remove = (site: string, headers = care) =>
  send(`DELETE /v1/customers/${id}/sites/${site}`, { headers });

async function trail() {
  return (await trailOf(one.tenant))
    .filter((row) => row.action === "customer.sites-changed" && row.target.id === id)
    .map(({ changes }) => changes.siteIds);
}

test("200: the customer can then sign in at both sites, the profile names both, and the audit trail has one entry", async () => {
  const before = await one.profile(pair.accessToken);
  expect((await two.login(login)).status).toBe(401);
  const added = await add("two");
  expect([added.status, added.body.siteIds]).toEqual([200, ["one", "two"]]);
  expect((await add("two")).body.siteIds).toEqual(["one", "two"]);
  const there = await two.profile((await two.enter(login)).accessToken);
  expect([there.body.id, there.body.siteIds]).toEqual([id, ["one", "two"]]);
  expect(there.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect((await one.profile(pair.accessToken)).status).toBe(200);
  expect(await trail()).toEqual([{ before: ["one"], after: ["one", "two"] }]);
});

test("204: when removed from a site, the sign-ins there end at once and those elsewhere stay valid", async () => {
  await add("two");
  const there = await two.enter(login);
  expect((await remove("two")).status).toBe(204);
  expect([
    (await two.profile(there.accessToken)).status,
    (await two.refresh(there.refreshToken)).status,
  ]).toEqual([401, 401]);
  expect((await two.login(login)).status).toBe(401);
  expect([
    (await one.profile(pair.accessToken)).status,
    (await one.refresh(pair.refreshToken)).status,
  ]).toEqual([200, 200]);
  expect((await trail()).at(-1)).toEqual({ before: ["one", "two"], after: ["one"] });
});

test("403: a role at one site cannot add customers to another or remove them from it", async () => {
  const headers = await staff({ sites: { one: ["portal.customers.mgmt"] } });
  for (const { status, body } of [await add("two", headers), await remove("two", headers)])
    expect([status, body.reason]).toEqual([403, "customer.manage"]);
  const both = await staff({
    sites: { one: ["portal.customers.mgmt"], two: ["portal.customers.mgmt"] },
  });
  expect((await add("two", both)).status).toBe(200);
});

test("404: a site the tenant does not have, a site the customer is not at, a customer of another site or tenant", async () => {
  expect((await add("nowhere")).body.code).toBe("site.not-found");
  expect((await remove("two")).body.code).toBe("customer.not-found");
  expect((await add("two", { ...care, "X-Service-Site": "two" })).body.code).toBe(
    "customer.not-found",
  );
  ({ id } = await (await openShop(send)).customer());
  for (const answer of [await add("two"), await remove("one")])
    expect(answer.body.code).toBe("customer.not-found");
});

test("409: the last site stays when two callers remove both concurrently", async () => {
  expect((await remove("one")).body.code).toBe("customer.last-site");
  await add("two");
  const answers = await Promise.all([
    remove("one"),
    remove("two", { ...care, "X-Service-Site": "two" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).not.toEqual([204, 204]);
  const statuses = await Promise.all(
    [one, two].map(async (shop) => (await shop.login(login)).status),
  );
  expect(statuses.sort()).toEqual([200, 401]);
});

test("404: a site that the tenant does not have", async () => {
  for (const change of [add, remove]) {
    const { status, body } = await change("nowhere");
    expect([status, body.code]).toEqual([404, "site.not-found"]);
  }
});
