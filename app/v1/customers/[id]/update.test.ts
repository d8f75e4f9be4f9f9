import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let login: string;
let id: string;

async function staff(given: Parameters<typeof makeUser>[1]) {
  const { userId } = await makeUser(shop.tenant, given);
  const { headers } = await makeSession(shop.tenant, userId);
  return { ...headers, "X-Service-Site": "one" };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  care = await staff({ roleIds: ["portal.customers.mgmt"] });
});
beforeEach(async () => {
  ({ login, id } = await shop.customer());
});

const change = (body: unknown, headers: Record<string, string> = care) =>
  send(`PATCH /v1/customers/${id}`, { headers, body });
const show = () => send(`GET /v1/customers/${id}`, { headers: care });
const profile = async () => (await shop.profile((await shop.enter(login)).accessToken)).body;

async function trail() {
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, shop.tenant))
    .orderBy(auditEvents.seq);
  return rows.filter((row) => row.target.id === id);
}

describe("200", () => {
  test("changes the given fields, removes those that are null, and the audit trail has only their names", async () => {
    expect((await change(fullProfile)).status).toBe(200);
    const { status, body } = await change({
      name: { first: "Berta", suffix: null },
      gender: null,
      creditCards: null,
    });
    expect([status, body.revision, body.counts.creditCards]).toEqual([200, 3, 0]);
    const { name, gender, creditCards, addresses } = await profile();
    expect([name.first, name.suffix, gender, creditCards]).toEqual([
      "Berta",
      undefined,
      undefined,
      { cards: [] },
    ]);
    expect(addresses).toEqual(fullProfile.addresses);
    const entry = (await trail()).at(-1);
    expect([entry?.action, entry?.changes]).toEqual([
      "customer.updated",
      { creditCards: {}, gender: {}, name: {} },
    ]);
    expect(JSON.stringify(await trail())).not.toContain("Berta");
  });

  test("without an audit entry where nothing changes", async () => {
    expect((await change({})).status).toBe(200);
    expect(await trail()).toEqual([]);
  });

  test("the customer is found by the new e-mail address, and an earlier password token is invalid", async () => {
    const address = `${id}@example.com`;
    await change({ emailAddresses: { addresses: [{ address }] } });
    const found = await send(`GET /v1/customers?emailAddress=${address}`, { headers: care });
    expect(found.body.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  test("for a current ETag, also after a sign-in", async () => {
    const etag = (await show()).headers.get("etag") ?? "";
    await shop.enter(login);
    const answer = await change({ gender: "x" }, { ...care, "If-Match": etag });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("etag")).toBe((await show()).headers.get("etag"));
  });
});

test("400 for values that a profile cannot have, and for read-only fields", async () => {
  const answers = [await change({ birthDate: "2026-02-30" }), await change({ login: "other" })];
  expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
    [400, "/birthDate"],
    [400, "/login"],
  ]);
});

test("403 with the permission at only some of the customer's sites", async () => {
  ({ login, id } = await shop.customer(["one", "two"]));
  const answer = await change(
    { gender: "x" },
    await staff({ sites: { one: ["portal.customers.mgmt"] } }),
  );
  expect([answer.status, answer.body.code]).toEqual([403, "customer.other-sites"]);
});

test("404 for a customer of another site or tenant", async () => {
  const elsewhere = { ...care, "X-Service-Site": "two" };
  expect((await change({ gender: "x" }, elsewhere)).status).toBe(404);
  ({ id } = await (await openShop(send)).customer());
  expect((await change({ gender: "x" })).body.code).toBe("customer.not-found");
});

test("412 for an ETag from before a change that the mask does not show; of 10 concurrent changes one succeeds", async () => {
  await change({ name: { first: "Ann", last: "Berg" } });
  const etag = (await show()).headers.get("etag") ?? "";
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      change({ name: { first: `A${n}` } }, { ...care, "If-Match": etag }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
});
