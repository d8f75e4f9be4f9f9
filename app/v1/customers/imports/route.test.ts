import { hashSync } from "@node-rs/bcrypt";
import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  customerImportChunks,
  customers,
  tenantQuotas,
} from "@/lib/database/schema/schema";
import {
  importer,
  ndjson,
  newLogins,
  startTestEngine,
} from "@/lib/features/customers/imports/testing/importing";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { rowsAfter } from "@/lib/features/events/rows";
import { findUse } from "@/lib/features/quotas/quotas";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let careId: string;
let imports: ReturnType<typeof importer>;

async function staff(given: Parameters<typeof makeUser>[1], site = "one") {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": site } };
}

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  shop = await openShop(send);
  ({ headers: care, userId: careId } = await staff({ roleIds: ["portal.customers.mgmt"] }));
  imports = importer(send, care);
});

/** Imports the lines, and returns the result. */
async function run(lines: readonly unknown[] | string) {
  const text = typeof lines === "string" ? lines : ndjson(lines);
  const { status, body, text: answer } = await imports.upload(text);
  expect(status, answer).toBe(202);
  startTestEngine();
  const ended = await imports.ended(body.id);
  return { ended, results: (await imports.results(body.id)).body };
}

const count = async () => (await db().$count(customers, eq(customers.tenantId, shop.tenant))) ?? 0;

describe("202", () => {
  test("each line becomes a customer, with its profile, sites and date", async () => {
    const [first = "", second = ""] = newLogins(2);
    const lines = [
      { login: first, ...fullProfile, registrationDate: "2020-02-29T12:00:00+01:00" },
      { login: second, siteIds: ["two", "one"] },
    ];
    const uploaded = await imports.upload(ndjson(lines));
    expect(uploaded.status, uploaded.text).toBe(202);
    expect(uploaded.body).toMatchObject({ state: "queued", total: 2, done: 0, createdBy: careId });
    expect(uploaded.headers.get("location")).toBe(`/v1/customers/imports/${uploaded.body.id}`);
    startTestEngine();
    const ended = await imports.ended(uploaded.body.id);
    expect(ended).toMatchObject({ state: "done", total: 2, done: 2, failed: 0 });
    const { body: results } = await imports.results(uploaded.body.id);
    expect(results.map((one: { line: number }) => one.line)).toEqual([1, 2]);
    const [id, other] = results.map((one: { id: string }) => one.id);
    const shown = await send(`GET /v1/customers/${id}`, { headers: care });
    expect(shown.body).toMatchObject({
      registrationDate: "2020-02-29T11:00:00.000Z",
      siteIds: ["one"],
      counts: { addresses: 1, creditCards: 1 },
    });
    const there = await send(`GET /v1/customers/${other}`, { headers: care });
    expect(there.body.siteIds).toEqual(["one", "two"]);
    const found = await send("GET /v1/customers?emailAddress=ann@example.com", { headers: care });
    expect(found.body.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(await findUse(shop.tenant, "customers")).toBe(2);
  });

  test("a customer signs in with the password of the imported hash, and one without a hash does not", async () => {
    const [first = "", second = ""] = newLogins(2);
    const passwordHash = hashSync(password, 4);
    await run([{ login: first, passwordHash }, { login: second }]);
    expect((await shop.login(first)).status).toBe(200);
    expect((await shop.login(second)).status).toBe(401);
  });

  test("an invalid line is reported with its number, a pointer and a code, and the other lines are imported", async () => {
    const [good = "", other = "", third = ""] = newLogins(3);
    const { login: known } = await shop.customer();
    const { ended, results } = await run(
      [
        JSON.stringify({ login: good }),
        "",
        "{",
        JSON.stringify({ login: known.toUpperCase() }),
        JSON.stringify({ login: good }),
        JSON.stringify({ login: other, name: { first: 7 } }),
        JSON.stringify({ login: other, password }),
        JSON.stringify({ login: other, passwordHash: "plain" }),
        JSON.stringify({ login: other, siteIds: ["one", "nowhere"] }),
        JSON.stringify({ login: other, registrationDate: "2999-01-01T00:00:00Z" }),
        JSON.stringify({ login: other, name: { first: "x".repeat(300_000) } }),
        JSON.stringify({ login: third }),
      ].join("\r\n"),
    );
    expect(ended).toMatchObject({ state: "done", total: 11, done: 2, failed: 9 });
    type Result = { line: number; id?: string; code?: string; pointer?: string };
    const told = results.map(({ line, id, code, pointer }: Result) => [
      line,
      id ? "created" : code,
      pointer,
    ]);
    expect(told).toEqual([
      [1, "created", undefined],
      [3, "request.invalid-json", ""],
      [4, "customer.login-taken", "/login"],
      [5, "customer.login-taken", "/login"],
      [6, "request.validation-failed", "/name/first"],
      [7, "request.validation-failed", "/password"],
      [8, "request.validation-failed", "/passwordHash"],
      [9, "request.validation-failed", "/siteIds/1"],
      [10, "request.validation-failed", "/registrationDate"],
      [11, "request.body-too-large", ""],
      [12, "created", undefined],
    ]);
    expect(JSON.stringify(results)).not.toContain(known);
  });

  test("results are paged in the order of the lines, and can be filtered", async () => {
    const logins = newLogins(2500);
    const lines = logins.map((login, place) => (place % 500 === 0 ? { login: 7 } : { login }));
    await db()
      .insert(tenantQuotas)
      .values({
        tenantId: shop.tenant,
        quota: "customers",
        max: 10_000,
        countedAt: new Date(0),
      });
    const { ended } = await run(lines);
    expect(ended).toMatchObject({ total: 2500, done: 2495, failed: 5 });
    const failed = await imports.results(ended.id, "?result=failed");
    expect(failed.body.map((one: { line: number }) => one.line)).toEqual([
      1, 501, 1001, 1501, 2001,
    ]);
    const seen: number[] = [];
    for (let path = `/v1/customers/imports/${ended.id}/results?limit=199`; path; ) {
      const page = await send(`GET ${path}`, { headers: care });
      seen.push(...page.body.map((one: { line: number }) => one.line));
      path = page.headers.get("link")?.match(/<([^>]+)>; rel="next"/)?.[1] ?? "";
    }
    expect(seen).toEqual(logins.map((_, place) => place + 1));
    const created = await imports.results(ended.id, "?result=created&limit=2");
    expect(created.body.map((one: { line: number }) => one.line)).toEqual([2, 3]);
  });

  test("the audit trail has start and end, the feed an event for each customer, and neither has a login", async () => {
    const [login = ""] = newLogins(1);
    const { ended, results } = await run([{ login }, {}]);
    const rows = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, shop.tenant))
      .orderBy(auditEvents.seq);
    const entries = rows.filter((row) => row.target.id === ended.id);
    expect(entries.map(({ action, actor, changes }) => [action, actor.id, changes])).toEqual([
      ["customer-import.created", careId, { lines: { after: 2 } }],
      ["customer-import.finished", careId, { created: { after: 1 }, failed: { after: 1 } }],
    ]);
    const feed = await rowsAfter(shop.tenant, { auditSeq: 0, eventSeq: 0 }, new Date(0), 100);
    expect(feed.filter((one) => one.action === "imported").map((one) => one.customerId)).toEqual([
      results[0].id,
    ]);
    expect(JSON.stringify([rows, feed])).not.toContain(login);
  });

  test("lines beyond the quota fail, and the used amount stays correct", async () => {
    const max = { tenantId: shop.tenant, quota: "customers", max: 3, countedAt: new Date(0) };
    await db().insert(tenantQuotas).values(max);
    await shop.customer();
    const logins = newLogins(3);
    const { ended, results } = await run(logins.map((login) => ({ login })));
    expect(ended).toMatchObject({ done: 2, failed: 1 });
    expect(results[2]).toMatchObject({ line: 3, code: "quota.exceeded" });
    expect([await count(), await findUse(shop.tenant, "customers")]).toEqual([3, 3]);
  });

  test("by a service user's API key that has the permission; a role at one site can import only there", async () => {
    const robot = await makeUser(shop.tenant, {
      roleIds: ["portal.customers.mgmt"],
      row: { kind: "service" },
    });
    const key = await makeApiKey(shop.tenant, robot.userId, { permissions: ["customer.manage"] });
    const byKey = importer(send, { ...key.headers, "X-Service-Site": "one" });
    const { body } = await byKey.upload(ndjson([{ login: newLogins(1)[0] }]));
    startTestEngine();
    expect(await imports.ended(body.id)).toMatchObject({ done: 1 });
    const ofOne = await staff({ sites: { one: ["portal.customers.mgmt"] } });
    imports = importer(send, ofOne.headers);
    const { results } = await run(
      newLogins(2).map((login, n) => ({ login, siteIds: [n ? "two" : "one"] })),
    );
    expect(results.map((one: { code?: string }) => one.code)).toEqual([
      undefined,
      "request.validation-failed",
    ]);
  });
});

describe("200", () => {
  test("a cancelled import creates no more customers, stores no lines and ends", async () => {
    const { body } = await imports.upload(ndjson(newLogins(3).map((login) => ({ login }))));
    const cancelled = await imports.cancel(body.id);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, "cancelled"]);
    startTestEngine();
    const next = await imports.upload(ndjson([{ login: newLogins(1)[0] }]));
    await imports.ended(next.body.id);
    expect(await count()).toBe(1);
    const left = and(
      eq(customerImportChunks.tenantId, shop.tenant),
      eq(customerImportChunks.importId, body.id),
    );
    expect(await db().select().from(customerImportChunks).where(left)).toEqual([]);
    const list = await send("GET /v1/customers/imports", { headers: care });
    expect(list.body.map((one: { id: string }) => one.id)).toEqual([next.body.id, body.id]);
  });
});
