import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys } from "@/lib/database/schema/schema";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { countKeyUses, createShares, type KeyRateLimit } from "./key-rates";

let tenant: string;
let userId: string;

beforeAll(async () => {
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant));
});

/** No window ends during a test: the next one starts in 2033. */
const windowSeconds = 1_000_000_000;

async function keyWith(limit: number) {
  const rate: KeyRateLimit = { limit, windowSeconds };
  const columns = { rateLimit: limit, rateWindowSeconds: windowSeconds };
  const { apiKeyId } = await makeApiKey(tenant, userId, columns);
  return { apiKeyId, rate };
}

const count = (admitted: readonly boolean[][]) => admitted.flat().filter(Boolean).length;

describe("the rate limit of a key", () => {
  test.each([1, 2, 7, 10, 60, 600])(
    "admits exactly %i requests in a window, and then none",
    async (limit) => {
      const use = await keyWith(limit);
      const shares = createShares();
      const admitted: boolean[][] = [];
      for (let sent = 0; sent < limit + 20; sent += 1)
        admitted.push(await countKeyUses(tenant, [use], shares));
      expect(count(admitted)).toBe(limit);
      expect(admitted.slice(limit).flat()).not.toContain(true);
    },
  );

  test("is kept by three processes together, however the requests are spread", async () => {
    const limit = 300;
    const use = await keyWith(limit);
    const processes = [createShares(), createShares(), createShares()];
    const send = (shares: ReturnType<typeof createShares>) => countKeyUses(tenant, [use], shares);
    const even = await Promise.all(
      Array.from({ length: 900 }, (_, sent) => send(processes[sent % 3] ?? createShares())),
    );
    expect(count(even)).toBe(limit);
  });

  test("is available to one busy process, except for the shares that idle ones took", async () => {
    const limit = 600;
    const use = await keyWith(limit);
    const [busy, ...idle] = [createShares(), createShares(), createShares()];
    for (const shares of idle) await countKeyUses(tenant, [use], shares);
    const admitted = await Promise.all(
      Array.from({ length: limit }, () => countKeyUses(tenant, [use], busy)),
    );
    expect(count(admitted)).toBeGreaterThanOrEqual(limit * 0.8);
    expect(count(admitted)).toBeLessThanOrEqual(limit);
  });

  test("counts several uses and several keys at once", async () => {
    const [few, many] = [await keyWith(2), await keyWith(50)];
    const uses = [few, many, few, many, few];
    const admitted = await countKeyUses(tenant, uses, createShares());
    expect(admitted).toEqual([true, true, true, true, false]);
  });

  test("starts again with the next window, and counts requests of a slow clock in the window that has started", async () => {
    const use = await keyWith(5);
    const present = Math.floor(Date.now() / 1000 / windowSeconds);
    const at = (rateWindow: number, rateTaken: number) =>
      db()
        .update(apiKeys)
        .set({ rateWindow, rateTaken })
        .where(and(eq(apiKeys.tenantId, tenant), eq(apiKeys.apiKeyId, use.apiKeyId)));
    await at(present - 1, 5);
    expect(await countKeyUses(tenant, [use], createShares())).toEqual([true]);
    await at(present + 1, 5);
    expect(await countKeyUses(tenant, [use], createShares())).toEqual([false]);
    await at(present + 1000, 5);
    expect(await countKeyUses(tenant, [use], createShares())).toEqual([true]);
  });

  test("takes about thirty shares from the store, and none once the window is used up", async () => {
    const use = await keyWith(1000);
    const shares = createShares();
    let asked = 0;
    let taken = -1;
    for (let sent = 0; sent < 1000; sent += 1) {
      await countKeyUses(tenant, [use], shares);
      const [share] = [...shares.values()];
      if (share && share.taken !== taken) asked += 1;
      taken = share?.taken ?? taken;
    }
    expect(asked).toBeLessThan(40);
    const before = await db()
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.tenantId, tenant), eq(apiKeys.apiKeyId, use.apiKeyId)));
    for (let sent = 0; sent < 50; sent += 1) await countKeyUses(tenant, [use], shares);
    const after = await db()
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.tenantId, tenant), eq(apiKeys.apiKeyId, use.apiKeyId)));
    expect(after).toEqual(before);
  });
});
