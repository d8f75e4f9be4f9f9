import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let id: string;
let elsewhere: string;

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { ...headers, "X-Service-Site": "one" };
}

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  shop = await openShop(send);
  care = await staff({ roleIds: ["portal.customers.mgmt"] });
  const body = { login: "ann@example.com", ...fullProfile };
  ({ id } = (await send("POST /v1/customers", { headers: care, body })).body);
  await shop.customer(["two"]);
  ({ id: elsewhere } = await shop.customer(["one", "two"]));
});

const exported = (headers: Record<string, string>, body: unknown = { reason: "Ticket 4711" }) =>
  send("POST /v1/customers/exports", { headers, body });
const ids = (list: { id: string }[]) => list.map((one) => one.id);

test("200 with the profiles of the site's customers, newest first, without hashes and payment tokens, and an audit entry with the reason", async () => {
  const { status, body, text } = await exported(care);
  expect([status, ids(body)]).toEqual([200, [elsewhere, id]]);
  const { token: _, ...card } = fullProfile.creditCards.default;
  expect(body[1]).toMatchObject({
    ...fullProfile,
    login: "ann@example.com",
    siteIds: ["one"],
    creditCards: { cards: [card], default: card },
  });
  expect(text).not.toMatch(/argon2|tok_1Abc/);
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, shop.tenant))
    .orderBy(auditEvents.seq);
  const entry = rows.find((row) => row.action === "customer.exported");
  expect([entry?.target, entry?.changes]).toEqual([
    { type: "site", id: "one" },
    { reason: { after: "Ticket 4711" } },
  ]);
});

test("200 as NDJSON over several pages, each customer once", async () => {
  for (let n = 0; n < 201; n += 1) await shop.customer();
  const { status, text, headers } = await exported({ ...care, Accept: "application/x-ndjson" });
  const lines = text.trimEnd().split("\n");
  expect([status, headers.get("content-type"), lines.length]).toEqual([
    200,
    "application/x-ndjson",
    203,
  ]);
  expect(new Set(ids(lines.map((line) => JSON.parse(line)))).size).toBe(203);
});

test("200 without customers who also belong to sites where the caller lacks the permission", async () => {
  const { body } = await exported(await staff({ sites: { one: ["portal.customers.mgmt"] } }));
  expect(ids(body)).toEqual([id]);
});

test("400 without a reason, 403 without the permission, 406 for another format", async () => {
  expect((await exported(care, {})).body.reason).toBe("/reason");
  expect((await exported(await staff({ roleIds: ["portal.default"] }))).status).toBe(403);
  expect((await exported({ ...care, Accept: "text/csv" })).status).toBe(406);
});
