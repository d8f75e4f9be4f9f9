import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  customerActivity,
  customerEmails,
  customerFamilies,
  customerPasswordTokens,
  customers,
} from "@/lib/database/schema/schema";
import { verifyTrail } from "@/lib/features/audit/verify-trail";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { findUse } from "@/lib/features/quotas/quotas";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let careId: string;
let login: string;
let id: string;
let pair: Pair;

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": "one" } };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  ({ headers: care, userId: careId } = await staff({ roleIds: ["portal.customers.mgmt"] }));
});
beforeEach(async () => {
  ({ login, id } = await shop.customer());
  pair = await shop.enter(login);
  const headers = { ...shop.headers, ...bearer(pair.accessToken) };
  await send("PATCH /v1/customer/profile", { headers, body: fullProfile });
});

const erase = (headers = care, body: unknown = { reason: "Ticket 4711" }) =>
  send(`DELETE /v1/customers/${id}`, { headers, body });

const trail = () =>
  db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, shop.tenant)))
    .orderBy(auditEvents.seq);

describe("204", () => {
  test("only the id, the reason and the author remain; every token is rejected and the login is free", async () => {
    await send(`POST /v1/customers/${id}/password-token`, { headers: care });
    const answer = await erase();
    expect([answer.status, answer.text]).toEqual([204, ""]);
    const tables = [
      ...[customers, customerActivity, customerEmails],
      ...[customerFamilies, customerPasswordTokens],
    ];
    for (const table of tables) {
      const left = await db()
        .select({ tenantId: table.tenantId })
        .from(table)
        .where(and(eq(table.tenantId, shop.tenant), eq(table.customerId, id)));
      expect(left).toEqual([]);
    }
    expect((await shop.profile(pair.accessToken)).status).toBe(401);
    expect((await shop.refresh(pair.refreshToken)).status).toBe(401);
    expect((await shop.login(login)).status).toBe(401);
    const entry = (await trail()).at(-1);
    expect([entry?.action, entry?.target, entry?.actor.id, entry?.changes]).toEqual([
      "customer.erased",
      { type: "customer", id },
      careId,
      { reason: { after: "Ticket 4711" } },
    ]);
    for (const secret of [login, "ann@example.com", "Domplatz"])
      expect(JSON.stringify(await trail())).not.toContain(secret);
  });

  test("address and agent of the customer's actions are erased from the audit trail, which still verifies", async () => {
    // Reusing a refresh token after the grace writes an entry whose actor is the customer.
    process.env.REFRESH_GRACE = "PT0S";
    await shop.refresh(pair.refreshToken);
    expect((await shop.refresh(pair.refreshToken)).status).toBe(401);
    delete process.env.REFRESH_GRACE;
    const byCustomer = async () => (await trail()).filter((entry) => entry.actor.id === id);
    expect((await byCustomer()).map(({ address }) => address)).toEqual(["127.0.0.1"]);
    expect((await erase()).status).toBe(204);
    expect((await byCustomer()).map(({ address, agent }) => [address, agent])).toEqual([
      [null, null],
    ]);
    expect((await verifyTrail({ tenantId: shop.tenant })).valid).toBe(true);
  });

  test("the customer's own deletion erases them too", async () => {
    const headers = { ...shop.headers, ...bearer(pair.accessToken) };
    expect((await send("DELETE /v1/customer/profile", { headers })).status).toBe(204);
    const entry = (await trail()).find((one) => one.actor.id === id);
    expect([entry?.action, entry?.address, entry?.agent]).toEqual(["customer.deleted", null, null]);
    expect((await verifyTrail({ tenantId: shop.tenant })).valid).toBe(true);
  });

  test("returns one customer to the tenant's quota", async () => {
    const before = await findUse(shop.tenant, "customers");
    expect((await erase()).status).toBe(204);
    expect(await findUse(shop.tenant, "customers")).toBe(before - 1);
  });

  test("by an API key that has the permission", async () => {
    const key = await makeApiKey(shop.tenant, careId, { permissions: ["customer.manage"] });
    expect((await erase({ ...key.headers, "X-Service-Site": "one" })).status).toBe(204);
  });
});

test("400 without a reason", async () => {
  for (const body of [{}, { reason: "  " }, { reason: "x".repeat(257) }]) {
    const answer = await erase(care, body);
    expect([answer.status, answer.body.reason]).toEqual([400, "/reason"]);
  }
});

describe("403", () => {
  test("for an unrestricted API key", async () => {
    const key = await makeApiKey(shop.tenant, careId);
    const answer = await erase({ ...key.headers, "X-Service-Site": "one" });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      403,
      "auth.api-key-unrestricted",
      "customer.manage",
    ]);
    expect((await shop.profile(pair.accessToken)).status).toBe(200);
  });

  test("with the permission at only some of the customer's sites", async () => {
    ({ login, id } = await shop.customer(["one", "two"]));
    const { headers } = await staff({ sites: { one: ["portal.customers.mgmt"] } });
    const answer = await erase(headers);
    expect([answer.status, answer.body.code]).toEqual([403, "customer.other-sites"]);
  });
});

test("404 for a customer of another tenant, and for an erased one", async () => {
  const other = await openShop(send);
  const theirs = await other.customer();
  expect((await erase()).status).toBe(204);
  expect((await erase()).status).toBe(404);
  id = theirs.id;
  expect((await erase()).status).toBe(404);
  expect((await other.login(theirs.login)).status).toBe(200);
});

test("a customer's export shows who searched, revealed and locked, by ids and without other customers", async () => {
  const other = await shop.customer();
  for (const one of [id, other.id]) {
    await send(`GET /v1/customers?q=${one}`, { headers: care });
    const body = { fields: ["name", "birthDate"], reason: "asked for by phone" };
    await send(`POST /v1/customers/${one}/reveal`, { headers: care, body });
  }
  await send(`POST /v1/customers/${id}/lock`, { headers: care, body: { reason: "fraud" } });
  await send(`POST /v1/customers/${id}/unlock`, { headers: care });
  const { body } = await send("GET /v1/customer/profile/export", {
    headers: { ...shop.headers, ...bearer(pair.accessToken) },
  });
  const accesses = body
    .filter((one: { type: string }) => one.type === "access")
    .map((one: { data: { action: string; by: object; fields: string[]; reason?: string } }) => {
      const { action, by, fields, reason } = one.data;
      return { action, by, fields, reason };
    });
  const by = { type: "user", id: careId };
  expect(accesses).toEqual([
    { action: "customer.unlocked", by, fields: [], reason: undefined },
    { action: "customer.locked", by, fields: [], reason: undefined },
    {
      action: "customer.revealed",
      by,
      fields: ["name", "birthDate"],
      reason: "asked for by phone",
    },
    { action: "customer.searched", by, fields: [], reason: undefined },
  ]);
  expect(JSON.stringify(accesses)).not.toContain(other.id);
});
