import { expect, test, vi } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { makeTenant } from "@/lib/setup/testing/factories";
import { addUse, findLimitsAndUses, findUse, recountQuotas, takeFromQuota } from "./quotas";

const used = (tenantId: string) => findUse(tenantId, "customers");
const take = (tenantId: string, amount: number) =>
  transaction((tx) => takeFromQuota(tx, tenantId, "customers", amount));

test("20 concurrent uses are counted one by one, and none is lost", async () => {
  const tenantId = await makeTenant();
  await take(tenantId, 0);
  await Promise.all(Array.from({ length: 20 }, () => take(tenantId, 1)));
  expect(await used(tenantId)).toBe(20);
});

test("amounts beyond the limit are rejected and not counted", async () => {
  const tenantId = await makeTenant();
  await take(tenantId, 0);
  await take(tenantId, 1999);
  const both = await Promise.allSettled([take(tenantId, 1), take(tenantId, 1)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await used(tenantId)).toBe(2000);
  await transaction((tx) => addUse(tx, tenantId, "customers", -1));
  await take(tenantId, 1);
});

test("a recount corrects a wrong count", async () => {
  const tenantId = await makeTenant();
  await take(tenantId, 0);
  await take(tenantId, 7);
  await recountQuotas(tenantId, new Date());
  expect(await used(tenantId)).toBe(7);
  await recountQuotas(tenantId, new Date(Date.now() + 25 * 3_600_000));
  expect(await used(tenantId)).toBe(0);
});

test("all quotas are read in two statements, each with its use", async () => {
  const tenantId = await makeTenant();
  await take(tenantId, 0);
  await take(tenantId, 5);
  const asked = [vi.spyOn(db(), "select"), vi.spyOn(db(), "execute")];
  const found = await findLimitsAndUses(tenantId);
  expect(asked.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  vi.restoreAllMocks();
  for (const { quota, used } of found) expect(used, quota).toBe(await findUse(tenantId, quota));
  expect(found.find(({ quota }) => quota === "customers")).toMatchObject({ max: 2000, used: 5 });
  expect(found.find(({ quota }) => quota === "sites")?.used).toBe(2);
});
