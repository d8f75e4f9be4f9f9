import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { customerActivity, customerFamilies } from "@/lib/database/schema/schema";
import { openShop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { cleanTenant } from "@/lib/setup/cleaning";

const send = testServer();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test("the cleaning deletes sign-ins 30 days after their end and activity after 400 days, and nothing younger", async () => {
  process.env.RATE_LIMITS = "off";
  const shop = await openShop(send);
  const { login, id } = await shop.customer();
  const [old, young] = [await shop.enter(login), await shop.enter(login)];
  const refOf = (token: string) => `fam_${token.slice(4, 30)}`;
  const family = (token: string) =>
    and(eq(customerFamilies.tenantId, shop.tenant), eq(customerFamilies.familyRef, refOf(token)));
  await db()
    .update(customerFamilies)
    .set({ idleExpiresAt: daysAgo(31) })
    .where(family(old.refreshToken));
  await db()
    .update(customerFamilies)
    .set({ idleExpiresAt: daysAgo(29) })
    .where(family(young.refreshToken));
  const mine = and(eq(customerActivity.tenantId, shop.tenant), eq(customerActivity.customerId, id));
  const [first] = await db()
    .select({ id: customerActivity.activityId })
    .from(customerActivity)
    .where(mine);
  await db()
    .update(customerActivity)
    .set({ occurredAt: daysAgo(401) })
    .where(
      and(
        eq(customerActivity.tenantId, shop.tenant),
        eq(customerActivity.activityId, first?.id ?? ""),
      ),
    );
  await cleanTenant(shop.tenant, new Date());
  const left = await db()
    .select({ ref: customerFamilies.familyRef })
    .from(customerFamilies)
    .where(eq(customerFamilies.tenantId, shop.tenant));
  expect(left.map(({ ref }) => ref)).toEqual([refOf(young.refreshToken)]);
  expect(
    await db().select({ id: customerActivity.activityId }).from(customerActivity).where(mine),
  ).toHaveLength(1);
});
