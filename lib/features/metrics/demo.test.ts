import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { makeTenant } from "@/lib/setup/testing/factories";
import { addDemoTraffic } from "./demo";
import { dayMs } from "./grains";
import { topCalls } from "./query-engine";

const question = {
  tenantId: "demo",
  group: [],
  filters: {},
  statusClasses: [],
  timeZone: "UTC",
  period: undefined,
};

beforeAll(async () => {
  const like = await makeTenant();
  const [row] = await db().select().from(tenants).where(eq(tenants.tenantId, like));
  if (row)
    await db()
      .insert(tenants)
      .values({ ...row, tenantId: "demo", kind: "demo", createdAt: new Date() });
  await addDemoTraffic();
}, 300_000);

test("the demo has 30 days of calls, and one incident to find", async () => {
  const now = Date.now();
  const [month] = await topCalls({ ...question, from: now - 30 * dayMs, to: now }, 1);
  expect(month?.count).toBeGreaterThan(5_000_000);
  const failures = await topCalls(
    { ...question, group: ["endpoint"], statusClasses: ["5"], from: now - dayMs, to: now },
    2,
  );
  expect(failures[0]).toMatchObject({
    groups: { endpoint: "PUT /pim/preview/{key}/configuration" },
  });
  expect(failures[0]?.share).toBeGreaterThan(0.8);
});

test("the demo is filled once", async () => {
  const range = { from: Date.now() - 30 * dayMs, to: Math.floor(Date.now() / dayMs) * dayMs };
  const before = await topCalls({ ...question, ...range }, 1);
  await addDemoTraffic();
  expect(await topCalls({ ...question, ...range }, 1)).toEqual(before);
});
