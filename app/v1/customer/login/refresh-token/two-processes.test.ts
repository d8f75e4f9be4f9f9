import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { sendTo } from "@/lib/http/testing/test-server";
import {
  ensureBuilt,
  makeStoreFolder,
  type Product,
  startProduct,
} from "@/lib/server/testing/product";

// Longer than 50 refreshes take on any machine. The test ends it in the store, which counts from the rotations in the family's row.
const grace = "PT10M";
let nodes: Product[] = [];
let shops: [Shop, Shop];

beforeAll(async () => {
  ensureBuilt();
  const folder = makeStoreFolder();
  const env = {
    RATE_LIMITS: "off",
    PUBLIC_URL: "http://localhost:3000",
    REFRESH_GRACE: grace,
  };
  nodes = await Promise.all([startProduct(folder, env), startProduct(folder, env)]);
  const [first, second] = nodes.map(({ url }) => sendTo(url)) as [
    ReturnType<typeof sendTo>,
    ReturnType<typeof sendTo>,
  ];
  const shop = await openShop(first);
  shops = [shop, await openShop(second, shop)];
}, 180_000);

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

async function refreshed(shop: Shop, refreshToken: string): Promise<Pair> {
  const answer = await shop.refresh(refreshToken);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const profiles = (tokens: string[]) =>
  Promise.all(
    shops.flatMap((shop) => tokens.map(async (token) => (await shop.profile(token)).status)),
  );

test("50 parallel refreshes on two processes give one refresh token; after the grace period the old one ends the family on both within a second", async () => {
  const [one, two] = shops;
  const { refreshToken } = await one.enter((await one.customer()).login);
  const pairs = await Promise.all(
    Array.from({ length: 50 }, (_, n) => refreshed(n % 2 ? one : two, refreshToken)),
  );
  const [successor = "", ...others] = new Set(pairs.map((pair) => pair.refreshToken));
  expect(others).toEqual([]);
  const tokens = pairs.map((pair) => pair.accessToken);
  expect(new Set(tokens).size).toBe(50);
  expect(new Set(await profiles(tokens))).toEqual(new Set([200]));

  const newest = await refreshed(two, successor);
  await transaction((tx) =>
    tx.execute(sql`update customer_families set rotations = (select jsonb_agg(at::bigint - 600100) from jsonb_array_elements_text(rotations) as at)
      where tenant_id = ${one.tenant}`),
  );
  const replay = await two.refresh(refreshToken);
  expect([replay.status, replay.body.code]).toEqual([401, "auth.refresh-token-reused"]);
  await pause(1000);
  expect(new Set(await profiles([...tokens, newest.accessToken]))).toEqual(new Set([401]));
  for (const shop of shops)
    expect((await shop.refresh(newest.refreshToken)).body.code).toBe("auth.credentials-invalid");
});
