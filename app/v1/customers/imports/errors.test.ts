import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { customerImports, tenantQuotas } from "@/lib/database/schema/schema";
import { importer, ndjson, newLogins } from "@/lib/features/customers/imports/testing/importing";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
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

describe("400", () => {
  test("for a body without lines, and an interrupted one; nothing is stored", async () => {
    const empty = await imports.upload("\n \r\n");
    expect([empty.status, empty.body.code]).toEqual([400, "request.validation-failed"]);
    const stopping = new AbortController();
    const broken = fetch(`${send.url()}/v1/customers/imports`, {
      method: "POST",
      headers: { ...care, "Content-Type": "application/x-ndjson" },
      signal: stopping.signal,
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(ndjson([{ login: "x" }])));
          setTimeout(() => stopping.abort(), 200);
        },
      }),
      duplex: "half",
    } as RequestInit);
    await expect(broken).rejects.toThrow();
    const mine = eq(customerImports.tenantId, shop.tenant);
    await expect
      .poll(() => db().select().from(customerImports).where(mine), { timeout: 100_000 })
      .toEqual([]);
  });

  test("for more than 10,000 empty lines, whatever the number of others; nothing is stored", async () => {
    const { status, body } = await imports.upload(`${"\n".repeat(10_001)}{"login":"x"}\n`);
    expect([status, body.code]).toEqual([400, "request.validation-failed"]);
    expect(body.detail).toBe("The body has more than 10000 empty lines. Remove them.");
    const mine = eq(customerImports.tenantId, shop.tenant);
    expect(await db().select().from(customerImports).where(mine)).toEqual([]);
  });
});

test("403 for a user's API key, and without the permission at the site", async () => {
  const { headers } = await makeApiKey(shop.tenant, careId, {});
  const byKey = await importer(send, { ...headers, "X-Service-Site": "one" }).upload("{}\n");
  expect([byKey.status, byKey.body.code]).toEqual([403, "auth.api-key-of-person"]);
  const elsewhere = await staff({ sites: { two: ["portal.customers.mgmt"] } });
  expect((await importer(send, elsewhere.headers).upload("{}\n")).status).toBe(403);
});

test("404 for an import of another site or tenant", async () => {
  const { body } = await imports.upload(ndjson([{ login: newLogins(1)[0] }]));
  const there = importer(send, { ...care, "X-Service-Site": "two" });
  const foreign = await openShop(send);
  const { userId } = await makeUser(foreign.tenant, { roleIds: ["portal.customers.mgmt"] });
  const session = await makeSession(foreign.tenant, userId);
  const stranger = importer(send, { ...session.headers, "X-Service-Site": "one" });
  for (const who of [there, stranger])
    for (const answer of [
      await who.show(body.id),
      await who.results(body.id),
      await who.cancel(body.id),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, "customer.import-not-found"]);
  await imports.cancel(body.id);
});

test("409 while the tenant has an open import, with its id; and for an import that has ended", async () => {
  const first = await imports.upload(ndjson([{ login: newLogins(1)[0] }]));
  const second = await imports.upload(ndjson([{ login: newLogins(1)[0] }]));
  expect([second.status, second.body.code, second.body.reason]).toEqual([
    409,
    "customer.import-running",
    first.body.id,
  ]);
  await imports.cancel(first.body.id);
  expect((await imports.cancel(first.body.id)).body.code).toBe("customer.import-ended");
});

test("413 for a body announced as larger than 1 GiB, 415 for JSON, 429 for more lines than the tenant's quota of customers", async () => {
  const json = await imports.upload("{}", { "Content-Type": "application/json" });
  expect(json.status).toBe(415);
  const max = { tenantId: shop.tenant, quota: "customers", max: 1, countedAt: new Date(0) };
  await db().insert(tenantQuotas).values(max);
  const many = await imports.upload(ndjson(newLogins(2).map((login) => ({ login }))));
  expect([many.status, many.body.code]).toEqual([429, "quota.exceeded"]);
});
