import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { currentStore, transaction } from "@/lib/database/open";
import { consumerEndings, tenants } from "@/lib/database/schema/schema";
import { claimsOf, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { tokenStatus, withTokenRevocation } from "./token-revocations";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});

const realNow = performance.now.bind(performance);

/** Moves the clock forward, so that cached data is older by so many seconds, until the test ends. */
function passSeconds(count: number): void {
  vi.spyOn(performance, "now").mockImplementation(() => realNow() + 1000 * count);
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Writes what another node's transaction would write: this process gets no notification. */
async function endElsewhere(
  tenantId: string,
  subject: string,
  effect: "ended" | "locked" | "unlocked",
): Promise<void> {
  await transaction(async (tx) => {
    const [row] = await tx
      .update(tenants)
      .set({ endingsSeq: sql`${tenants.endingsSeq} + 1` })
      .where(eq(tenants.tenantId, tenantId))
      .returning({ seq: tenants.endingsSeq });
    await tx.insert(consumerEndings).values({
      tenantId,
      seq: row?.seq ?? 0,
      subject,
      effect,
      keptUntil: new Date(Date.now() + 3_600_000),
    });
  });
}

describe("on another node", () => {
  test("an ended family, a lock and an unlock take effect here within a second; other customers are not affected", async () => {
    const [one, two] = [await shop.customer(), await shop.customer()];
    const [first, second] = [await shop.enter(one.login), await shop.enter(two.login)];
    expect((await shop.profile(first.accessToken)).status).toBe(200);
    await endElsewhere(shop.tenant, two.id, "locked");
    await endElsewhere(shop.tenant, claimsOf(first.accessToken).fam, "ended");
    passSeconds(1);
    expect((await shop.profile(first.accessToken)).status).toBe(401);
    const locked = await shop.profile(second.accessToken);
    expect([locked.status, locked.body.code]).toEqual([403, "customer.locked"]);
    await endElsewhere(shop.tenant, two.id, "unlocked");
    passSeconds(2);
    expect((await shop.profile(second.accessToken)).status).toBe(200);
  });
});

test("another tenant's revocation of the same names changes nothing here", async () => {
  const other = await openShop(send);
  const { login, id } = await shop.customer();
  const { accessToken } = await shop.enter(login);
  await withTokenRevocation(other.tenant, (_, end) =>
    end([
      { subject: id, effect: "ended" },
      { subject: claimsOf(accessToken).fam, effect: "ended" },
    ]),
  );
  expect((await shop.profile(accessToken)).status).toBe(200);
});

test("a lock with an end expires automatically", async () => {
  const lockedUntil = new Date(Date.now() + 50_000);
  await withTokenRevocation(shop.tenant, (_, end) =>
    end([{ subject: "cust_timed", effect: "locked", lockedUntil }]),
  );
  expect(await tokenStatus(shop.tenant, "fam_any", "cust_timed")).toBe("locked");
  vi.useFakeTimers({ now: lockedUntil.getTime() + 50, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await tokenStatus(shop.tenant, "fam_any", "cust_timed")).toBe("good");
});

test("while nothing changes tokens are checked without the store, and 503 after a second without it", async () => {
  const { login } = await shop.customer();
  const { accessToken } = await shop.enter(login);
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now);
  onTestFinished(() => void vi.restoreAllMocks());
  expect((await shop.profile(accessToken)).status).toBe(200);
  const { fam, sub } = claimsOf(accessToken);
  const server = process.env.DATABASE_URL ?? "";
  process.env.DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
  const current = currentStore();
  const { store } = current;
  current.store = {};
  try {
    expect(await tokenStatus(shop.tenant, fam, sub)).toBe("good");
    vi.mocked(performance.now).mockReturnValue(now + 1100);
    const away = await shop.profile(accessToken);
    expect([away.status, away.body.code]).toEqual([503, "server.store-unavailable"]);
    expect(away.headers.get("retry-after")).not.toBeNull();
  } finally {
    current.store = store;
    process.env.DATABASE_URL = server;
    vi.restoreAllMocks();
  }
  await expect.poll(async () => (await shop.profile(accessToken)).status).toBe(200);
});
