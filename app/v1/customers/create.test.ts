import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, tenantQuotas } from "@/lib/database/schema/schema";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { bearer, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { findUse } from "@/lib/features/quotas/quotas";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let careId: string;
let count = 0;

async function staff(given: Parameters<typeof makeUser>[1], site = "one") {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": site } };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  ({ headers: care, userId: careId } = await staff({ roleIds: ["portal.customers.mgmt"] }));
});

const newLogin = () => {
  count += 1;
  return `made-${count}@example.com`;
};
const create = (body: unknown, headers = care) => send("POST /v1/customers", { headers, body });

describe("201", () => {
  test("with the whole profile, masked in the response; the audit trail has only the id", async () => {
    const login = newLogin();
    const used = await findUse(shop.tenant, "customers");
    const answer = await create({ login, ...fullProfile });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get("location")).toBe(`/v1/customers/${id}`);
    expect(answer.body).toMatchObject({
      siteIds: ["one"],
      revision: 1,
      counts: { addresses: 1, emailAddresses: 1, creditCards: 1, subscriptions: 3 },
    });
    expect(answer.text).not.toContain("Domplatz");
    expect(await findUse(shop.tenant, "customers")).toBe(used + 1);
    const rows = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, shop.tenant))
      .orderBy(auditEvents.seq);
    const entry = rows.find((row) => row.target.id === id);
    expect([entry?.action, entry?.actor.id, entry?.changes]).toEqual([
      "customer.registered",
      careId,
      {},
    ]);
    expect(JSON.stringify(rows)).not.toContain(login);
  });

  test("the customer can sign in only after setting a password with a token", async () => {
    const login = newLogin();
    const { body } = await create({ login });
    for (const password of ["", "a longer secret"])
      expect((await shop.login(login, { password })).status).not.toBe(200);
    const given = await send(`POST /v1/customers/${body.id}/password-token`, { headers: care });
    const reset = await send("POST /v1/customer/password-resets/confirm", {
      headers: { ...shop.headers, ...bearer(await shop.anonymous()) },
      body: { token: given.body.token, password: "entirely my own words" },
    });
    expect(reset.status, reset.text).toBe(204);
    expect((await shop.login(login, { password: "entirely my own words" })).status).toBe(200);
  });

  test("once for an Idempotency-Key", async () => {
    const headers = { ...care, "Idempotency-Key": "create-once" };
    const body = { login: newLogin() };
    const [first, second] = [await create(body, headers), await create(body, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
  });

  test("by a service user's API key that has the permission", async () => {
    const robot = await makeUser(shop.tenant, {
      roleIds: ["portal.customers.mgmt"],
      row: { kind: "service" },
    });
    const key = await makeApiKey(shop.tenant, robot.userId, { permissions: ["customer.manage"] });
    const headers = { ...key.headers, "X-Service-Site": "one" };
    expect((await create({ login: newLogin() }, headers)).status).toBe(201);
  });
});

test("400 with a pointer to the wrong field", async () => {
  const answers = [
    await create({}),
    await create({ login: newLogin(), password: "a longer secret" }),
    await create({ login: newLogin(), gender: "female" }),
    await create({
      login: newLogin(),
      emailAddresses: { addresses: [], default: { address: "a@example.com" } },
    }),
  ];
  expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
    [400, "/login"],
    [400, "/password"],
    [400, "/gender"],
    [400, "/emailAddresses/default"],
  ]);
});

test("403 without the permission at the site, and for a user's API key", async () => {
  const elsewhere = await staff({ sites: { two: ["portal.customers.mgmt"] } });
  const refused = await create({ login: newLogin() }, elsewhere.headers);
  expect([refused.status, refused.body.reason]).toEqual([403, "customer.manage"]);
  const { headers } = await makeApiKey(shop.tenant, careId, {});
  const byKey = await create({ login: newLogin() }, { ...headers, "X-Service-Site": "one" });
  expect([byKey.status, byKey.body.code]).toEqual([403, "auth.api-key-of-person"]);
});

test("429 beyond the tenant's quota of customers", async () => {
  const max = { tenantId: shop.tenant, quota: "customers", max: 0, countedAt: new Date() };
  await db()
    .insert(tenantQuotas)
    .values(max)
    .onConflictDoUpdate({ target: [tenantQuotas.tenantId, tenantQuotas.quota], set: { max: 0 } });
  const answer = await create({ login: newLogin() });
  expect([answer.status, answer.body.code]).toEqual([429, "quota.exceeded"]);
  await db().update(tenantQuotas).set({ max: null }).where(eq(tenantQuotas.tenantId, shop.tenant));
});

test("409 for a login in use at any site, in any case, also for concurrent requests", async () => {
  const login = newLogin();
  const both = await Promise.all([create({ login }), create({ login: login.toUpperCase() })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const there = await staff({ roleIds: ["portal.customers.mgmt"] }, "two");
  const again = await create({ login }, there.headers);
  expect([again.status, again.body.code]).toEqual([409, "customer.login-taken"]);
});
