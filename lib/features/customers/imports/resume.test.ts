import { and, eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { customerImports, customers, tenantQuotas, tenants } from "@/lib/database/schema/schema";
import { endLockWait } from "@/lib/database/testing/lock-waits";
import { openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";
import { runImport } from "./apply";
import { claimImport, forgetOldImports } from "./rows";
import { importer, ndjson, newLogins, startTestEngine } from "./testing/importing";

const send = testServer();
let shop: Shop;
let imports: ReturnType<typeof importer>;
let key: { tenantId: string; importId: string };

const lineCount = 3500;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  shop = await openShop(send);
  const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.customers.mgmt"] });
  const { headers } = await makeSession(shop.tenant, userId);
  imports = importer(send, { ...headers, "X-Service-Site": "one" });
  const quota = { tenantId: shop.tenant, quota: "customers", max: 10_000, countedAt: new Date(0) };
  await db().insert(tenantQuotas).values(quota);
  const { body } = await imports.upload(ndjson(newLogins(lineCount).map((login) => ({ login }))));
  key = { tenantId: shop.tenant, importId: body.id };
});

const stored = async () => {
  const where = and(
    eq(customerImports.tenantId, key.tenantId),
    eq(customerImports.importId, key.importId),
  );
  const [row] = await db().select().from(customerImports).where(where);
  if (!row) throw new Error("the import is gone");
  return row;
};

const created = () => db().$count(customers, eq(customers.tenantId, shop.tenant));

/** Imports this many batches and keeps the lease, like a process that crashed. */
async function workAndDie(batches: number): Promise<void> {
  const { leaseBeat } = await stored();
  expect(await claimImport(key, leaseBeat, "dead")).toBe(true);
  let left = batches;
  await runImport({ ...key, holder: "dead" }, () => {
    left -= 1;
    return left < 0;
  });
  await db()
    .update(customerImports)
    .set({ leaseHolder: "dead" })
    .where(
      and(eq(customerImports.tenantId, key.tenantId), eq(customerImports.importId, key.importId)),
    );
}

async function expectComplete(): Promise<void> {
  const ended = await imports.ended(key.importId);
  expect(ended).toMatchObject({ state: "done", total: lineCount, done: lineCount, failed: 0 });
  expect(await created()).toBe(lineCount);
}

test("an import whose process crashes after a batch is continued by another one, each line once", async () => {
  await workAndDie(2);
  expect(await created()).toBe(2000);
  startTestEngine();
  await expectComplete();
});

test("a batch whose transaction is aborted is repeated as a whole", async () => {
  const stop = startTestEngine();
  const holding = transaction(async (tx) => {
    await tx
      .update(tenants)
      .set({ auditSeq: sql`${tenants.auditSeq}` })
      .where(eq(tenants.tenantId, shop.tenant));
    await endLockWait(tx);
  });
  await imports.show(key.importId);
  await holding;
  await expectComplete();
  await stop();
});

test("a process that lost its lease writes nothing more", async () => {
  await workAndDie(1);
  const { leaseBeat } = await stored();
  expect(await claimImport(key, leaseBeat, "heir")).toBe(true);
  await runImport({ ...key, holder: "dead" }, () => false);
  expect(await created()).toBe(1000);
  await runImport({ ...key, holder: "heir" }, () => false);
  await expectComplete();
});

test("only one of several processes that see the same timeout takes the import over", async () => {
  const { leaseBeat } = await stored();
  const claims = await Promise.all(
    ["a", "b", "c"].map((holder) => claimImport(key, leaseBeat, holder)),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
});

test("imports are deleted 30 days after their end, with their results", async () => {
  startTestEngine();
  await expectComplete();
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  await forgetOldImports(shop.tenant, days(29));
  expect((await imports.show(key.importId)).status).toBe(200);
  await forgetOldImports(shop.tenant, days(31));
  expect((await imports.show(key.importId)).status).toBe(404);
  expect(await created()).toBe(lineCount);
});
