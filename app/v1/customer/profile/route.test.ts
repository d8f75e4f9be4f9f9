import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import {
  auditEvents,
  customerActivity,
  customerEmails,
  customerFamilies,
  customers,
} from "@/lib/database/schema/schema";
import { address, fullProfile } from "@/lib/features/customers/testing/full-profile";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { CustomerProfile } from "@/lib/protocol/documents/customer-profile";

const send = testServer();
let shop: Shop;
let login: string;
let id: string;
let pair: Pair;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});
beforeEach(async () => {
  ({ login, id } = await shop.customer());
  pair = await shop.enter(login);
});

const headers = (more: Record<string, string> = {}) => ({
  ...shop.headers,
  ...bearer(pair.accessToken),
  ...more,
});
const patch = (body: unknown, more: Record<string, string> = {}) =>
  send("PATCH /v1/customer/profile", { headers: headers(more), body });
const read = (more: Record<string, string> = {}) =>
  send("GET /v1/customer/profile", { headers: headers(more) });

describe("200", () => {
  test("an empty profile has its four wrappers, and no unset field", async () => {
    const { body } = await read();
    expect(body).toEqual({
      addresses: { addresses: [] },
      creditCards: { cards: [] },
      emailAddresses: { addresses: [] },
      id,
      login,
      registrationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      siteIds: ["one"],
      subscriptions: { addressCatalogs: [], emailCatalogs: [], emailNewsletters: [] },
    });
  });

  test("every object and field of the founding document is stored and returned", async () => {
    const changed = await patch(fullProfile);
    expect(changed.status, changed.text).toBe(200);
    const { body } = await read();
    expect(body).toEqual({
      ...fullProfile,
      id,
      login,
      registrationDate: body.registrationDate,
      siteIds: ["one"],
    });
    expect(CustomerProfile.parse(body)).toEqual(body);
    expect(Object.keys(body)).toEqual(Object.keys(CustomerProfile.shape));
  });

  test("a merge patch changes only its fields: null removes, lists are replaced, objects are merged", async () => {
    await patch(fullProfile);
    const { body } = await patch({
      birthDate: null,
      name: { first: "Bea", suffix: null },
      subscriptions: { emailCatalogs: [] },
      creditCards: null,
    });
    expect(body.birthDate).toBeUndefined();
    expect(body.name).toEqual({
      first: "Bea",
      last: "Émile",
      middleInitial: "B",
      salutation: "Dr",
    });
    expect(body.creditCards).toEqual({ cards: [] });
    expect(body.subscriptions).toEqual({ ...fullProfile.subscriptions, emailCatalogs: [] });
    expect(body.addresses).toEqual(fullProfile.addresses);
  });

  test("application/merge-patch+json is accepted too", async () => {
    const answer = await send("PATCH /v1/customer/profile", {
      headers: headers({ "Content-Type": "application/merge-patch+json" }),
      raw: '{"gender":"d"}',
    });
    expect([answer.status, answer.body?.gender]).toEqual([200, "d"]);
  });

  test("the ETag changes only with the profile, and a 304 has no body", async () => {
    const first = await read();
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await read({ "If-None-Match": etag });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await patch({})).headers.get("etag")).toBe(etag);
    const changed = await patch({ gender: "x" });
    expect(changed.headers.get("etag")).not.toBe(etag);
    expect((await read({ "If-None-Match": etag })).headers.get("etag")).toBe(
      changed.headers.get("etag"),
    );
  });

  test("parallel patches lose no update", async () => {
    const parts = [
      { gender: "f" },
      { birthDate: "1990-01-01" },
      { name: { first: "A" } },
      { name: { last: "B" } },
      { addresses: { addresses: [address] } },
    ];
    const answers = await Promise.all(parts.map((part) => patch(part)));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    const { body } = await read();
    expect(body).toMatchObject({
      gender: "f",
      birthDate: "1990-01-01",
      name: { first: "A", last: "B" },
      addresses: { addresses: [address] },
    });
  });

  test("the audit entry of a change has field names, never values", async () => {
    await patch({
      birthDate: "1990-01-01",
      emailAddresses: { addresses: [{ address: "Ann@Example.com" }] },
    });
    const mine = and(
      eq(customerActivity.tenantId, shop.tenant),
      eq(customerActivity.customerId, id),
    );
    const rows = await db().select().from(customerActivity).where(mine);
    expect(rows.find((row) => row.action === "profile-changed")?.fields).toEqual([
      "birthDate",
      "emailAddresses",
    ]);
    // A random id may contain the digits of the year.
    const stored = JSON.stringify(rows).replaceAll(/"[a-z]+_\w{26}"/g, "");
    expect(stored).not.toMatch(/1990|example\.com/i);
  });
});

test("two tenants and two sites: a token can read its profile only where it was issued", async () => {
  const other = await openShop(send);
  const tenant = await send("GET /v1/customer/profile", {
    headers: { ...headers(), "X-Service-Tenant": other.tenant },
  });
  expect([tenant.status, tenant.body.code]).toEqual([401, "auth.credentials-invalid"]);
  const site = await send("GET /v1/customer/profile", {
    headers: headers({ "X-Service-Site": "two" }),
  });
  expect([site.status, site.body.code]).toEqual([401, "auth.token-wrong-site"]);
  const management = await send("GET /v1/user/list", { headers: headers() });
  expect(management.status).toBe(401);
});

describe("204: DELETE", () => {
  test("only the fact remains, every token is invalid, and the login is free again", async () => {
    await patch(fullProfile);
    const other = await shop.enter(login);
    const answer = await send("DELETE /v1/customer/profile", { headers: headers() });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const table of [customers, customerActivity, customerEmails, customerFamilies]) {
      const left = await db()
        .select({ tenantId: table.tenantId })
        .from(table)
        .where(and(eq(table.tenantId, shop.tenant), eq(table.customerId, id)));
      expect(left).toEqual([]);
    }
    expect((await read()).status).toBe(401);
    expect((await shop.profile(other.accessToken)).status).toBe(401);
    expect((await shop.refresh(other.refreshToken)).status).toBe(401);
    const trail = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, shop.tenant));
    expect(
      trail.find((entry) => entry.action === "customer.deleted" && entry.actor.id === id)?.changes,
    ).toEqual({});
    const anonymous = bearer(await shop.anonymous());
    const again = await send("POST /v1/customer/registration", {
      headers: { ...shop.headers, ...anonymous },
      body: { login, password: "another secret" },
    });
    expect(again.status).toBe(201);
  });
});

test("the export contains profile, sign-ins and activity, as a list or as lines", async () => {
  await patch({ gender: "f" });
  const operation = "GET /v1/customer/profile/export";
  const { status, body } = await send(operation, { headers: headers() });
  expect(status).toBe(200);
  expect(body.map((record: { type: string }) => record.type)).toEqual([
    "profile",
    "session",
    "activity",
    "activity",
  ]);
  expect(body[0].data).toEqual((await read()).body);
  const lines = await send(operation, { headers: headers({ Accept: "application/x-ndjson" }) });
  expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
  expect(
    lines.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(body);
  expect((await send(operation, { headers: headers({ Accept: "text/csv" }) })).status).toBe(406);
});
