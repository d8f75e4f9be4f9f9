import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTenant } from "@/lib/setup/testing/factories";
import { closeStore, isStoreDown, transaction } from "./open";
import { failureOf } from "./testing/failing";
import { everyPlace, gate, works } from "./testing/store-work";

test("a process that is paused in a transaction locks the tenant's row for a few seconds only", async () => {
  const tenantId = await makeTenant();
  await closeStore();
  vi.stubEnv("STORE_TIMEOUT_MS", undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await closeStore();
  });
  const rename = sql`update sites set name = 'other' where tenant_id = ${tenantId}`;
  const [written, still] = [gate(), gate()];
  const standing = transaction(async (tx) => {
    await tx.execute(rename);
    written.open();
    await still.opened;
    await tx.execute(sql`select 1`);
  });
  const failed = failureOf(standing);
  await Promise.race([written.opened, standing]);
  await works(() => transaction((tx) => tx.execute(rename)));
  still.open();
  expect(isStoreDown(await failed)).toBe(true);
  expect(await everyPlace()).toBe(10);
});
