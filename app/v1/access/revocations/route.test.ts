import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { maxEntriesBehind } from "@/lib/features/verification/revocations";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;
interface Item {
  id: string;
  subjectKind: string;
  subjectId: string;
  effect: string;
}

const send = testServer();
let shop: Shop;
let verifier: Headers;
let admin: Headers;

async function verifierIn(tenant: string): Promise<Headers> {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  return (await makeApiKey(tenant, userId)).headers;
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  verifier = await verifierIn(shop.tenant);
  const { userId } = await makeUser(shop.tenant, { roleIds: ["tenant.admin"] });
  admin = (await makeSession(shop.tenant, userId)).headers;
  return () => delete process.env.RATE_LIMITS;
});

async function read(path: string, headers = verifier): Promise<{ items: Item[]; next: string }> {
  const answer = await send(`GET ${path}`, { headers });
  expect(answer.status, answer.text).toBe(200);
  const next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
  expect(next).not.toBe("");
  return { items: answer.body, next };
}

/** The current position of the feed. */
const begin = async (headers = verifier) => (await read("/v1/access/revocations", headers)).next;
const told = (items: Item[]) =>
  items.map(({ subjectKind, subjectId, effect }) => `${subjectKind} ${subjectId} ${effect}`);

describe("GET /v1/access/revocations, 200", () => {
  test("starts at the present, and reports keys, sessions, users and sites that ended or changed", async () => {
    const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.default"] });
    const { headers, sessionRef } = await makeSession(shop.tenant, userId);
    const { apiKeyId } = await makeApiKey(shop.tenant, userId);
    const start = await begin();
    const key = `/v1/user/profile/api-keys/${apiKeyId}`;
    await send(`POST ${key}/suspend`, { headers });
    await send(`POST ${key}/resume`, { headers });
    await send(`DELETE ${key}`, { headers });
    await send("DELETE /v1/user/session", { headers });
    await send(`POST /v1/user/${userId}/lock`, { headers: admin, body: { reason: "x" } });
    await send("POST /v1/tenant/sites", { headers: admin, body: { id: "three", name: "Three" } });
    const { items, next } = await read(start);
    expect(told(items)).toEqual([
      `apiKey ${apiKeyId} changed`,
      `apiKey ${apiKeyId} changed`,
      `apiKey ${apiKeyId} ended`,
      `session ${sessionRef} ended`,
      `user ${userId} changed`,
      `tenant ${shop.tenant} changed`,
    ]);
    expect((await read(next)).items).toEqual([]);
  });

  test("reports customers: a lock, and ended sign-ins", async () => {
    const customer = await shop.customer();
    const { accessToken } = await shop.enter(customer.login);
    const start = await begin();
    const headers = { ...shop.headers, Authorization: `Bearer ${accessToken}` };
    expect((await send("POST /v1/customer/logout", { headers })).status).toBe(204);
    const site = { ...admin, "X-Service-Site": "one" };
    const body = { reason: "x" };
    const locked = await send(`POST /v1/customers/${customer.id}/lock`, { headers: site, body });
    expect(locked.status, locked.text).toBe(200);
    const { items } = await read(start);
    expect(told(items)).toEqual([
      expect.stringMatching(/^family fam_\w+ ended$/),
      `customer ${customer.id} changed`,
    ]);
  });

  test("paging over both kinds loses and repeats nothing, from any item's id", async () => {
    const users = await Promise.all([1, 2, 3].map(() => makeUser(shop.tenant)));
    const customers = await Promise.all([1, 2, 3].map(() => shop.customer()));
    const start = await begin();
    const body = { reason: "x" };
    const site = { ...admin, "X-Service-Site": "one" };
    for (const { userId } of users)
      await send(`POST /v1/user/${userId}/lock`, { headers: admin, body });
    for (const { id } of customers)
      await send(`POST /v1/customers/${id}/lock`, { headers: site, body });
    const whole = (await read(start)).items;
    expect(whole).toHaveLength(6);
    for (const limit of [1, 2, 3, 4]) {
      const seen: Item[] = [];
      for (let next = `${start}&limit=${limit}`; ; ) {
        const page = await read(next);
        if (page.items.length === 0) break;
        seen.push(...page.items);
        next = page.next;
      }
      expect(told(seen)).toEqual(told(whole));
    }
    for (const [index, { id }] of whole.entries()) {
      const { items } = await read(`/v1/access/revocations?after=${id}`);
      expect(told(items)).toEqual(told(whole.slice(index + 1)));
    }
  });

  test("misses nothing while concurrent transactions commit", async () => {
    const tenant = await makeTenant();
    const reader = await verifierIn(tenant);
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
        const { headers } = await makeSession(tenant, userId);
        const keys = await Promise.all([1, 2, 3, 4, 5].map(() => makeApiKey(tenant, userId)));
        return { headers, ids: keys.map(({ apiKeyId }) => apiKeyId) };
      }),
    );
    let next = await begin(reader);
    const seen: string[] = [];
    let isWriting = true;
    const reading = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        const page = await read(next, reader);
        seen.push(...page.items.map(({ subjectId }) => subjectId));
        next = page.next;
      }
    })();
    await Promise.all(
      people.map(async ({ headers, ids }) => {
        for (const id of ids) await send(`DELETE /v1/user/profile/api-keys/${id}`, { headers });
      }),
    );
    isWriting = false;
    await reading;
    const expected = people.flatMap(({ ids }) => ids).toSorted();
    expect(seen.toSorted()).toEqual(expected);
  });

  test("reports the session that a twenty-first sign-in ended", async () => {
    const secret = "a longer secret text 4711";
    const { userId, login } = await makeUser(shop.tenant, {
      roleIds: ["portal.default"],
      password: secret,
    });
    const hourAgo = new Date(Date.now() - 3_600_000);
    const oldest = await makeSession(shop.tenant, userId, { createdAt: hourAgo });
    for (let made = 1; made < 20; made += 1) await makeSession(shop.tenant, userId);
    const start = await begin();
    const headers = { "X-Service-Tenant": shop.tenant };
    const body = { login, tenant: shop.tenant, password: secret };
    expect((await send("POST /v1/user/session-login", { headers, body })).status).toBe(200);
    expect(told((await read(start)).items)).toEqual([`session ${oldest.sessionRef} ended`]);
  });

  test("a position that is too old, too far behind or in the future gets one change that covers everything", async () => {
    const start = await begin();
    const after = new URLSearchParams(start.slice(start.indexOf("?"))).get("after") ?? "";
    const [audit, endings, subject, at] = after.split(".");
    const everything = [`tenant ${shop.tenant} changed`];
    const lost = [
      `${audit}.${endings}.${subject}.${Number(at) - 3_700_000}`,
      `${Number(audit) + 1000}.${endings}.${subject}.${at}`,
      `${audit}.${Number(endings) + 1000}.${subject}.${at}`,
    ];
    for (const position of lost) {
      const { items, next } = await read(`/v1/access/revocations?after=${position}`);
      expect(told(items)).toEqual(everything);
      expect((await read(next)).items).toEqual([]);
    }
    const tenant = await makeTenant();
    const reader = await verifierIn(tenant);
    const behind = await begin(reader);
    await db().execute(
      sql`update tenants set audit_seq = audit_seq + ${maxEntriesBehind + 1} where tenant_id = ${tenant}`,
    );
    expect(told((await read(behind, reader)).items)).toEqual([`tenant ${tenant} changed`]);
  });

  test("shows nothing of another tenant, and treats that tenant's position like any other", async () => {
    const other = await makeTenant();
    const reader = await verifierIn(other);
    const start = await begin(reader);
    const { userId } = await makeUser(shop.tenant);
    await send(`POST /v1/user/${userId}/lock`, { headers: admin, body: { reason: "x" } });
    expect((await read(start, reader)).items).toEqual([]);
  });
});

test("GET /v1/access/revocations, 400 for an invalid position", async () => {
  for (const after of ["x", "1.2.3", "1.2.fam_x.-1", "9999999999999999.1.~.1", "1.1.'.1"]) {
    const path = `/v1/access/revocations?after=${encodeURIComponent(after)}`;
    expect((await send(`GET ${path}`, { headers: verifier })).status, after).toBe(400);
  }
});

test("GET /v1/access/revocations, 401 for a session and 403 without credential.verify", async () => {
  expect((await send("GET /v1/access/revocations", { headers: admin })).status).toBe(401);
  const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.users.mgmt"] });
  const { headers } = await makeApiKey(shop.tenant, userId);
  expect((await send("GET /v1/access/revocations", { headers })).status).toBe(403);
});
