import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asked, keepAsking } from "@/lib/features/verification/testing/asking";
import {
  ensureBuilt,
  makeStoreFolder,
  type Product,
  startProduct,
} from "@/lib/server/testing/product";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const nodes: Product[] = [];

beforeAll(async () => {
  ensureBuilt();
  const folder = makeStoreFolder();
  const env = { RATE_LIMITS: "off", PUBLIC_URL: "http://localhost:3000" };
  // Started one after the other, so that the first is stopped even when the second does not start.
  for (let node = 0; node < 2; node += 1) nodes.push(await startProduct(folder, env));
}, 180_000);

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

test("a password change ends the user's sessions in other tenants on another process within a second", async () => {
  const password = "a password of some length";
  const [home, other] = [await makeTenant(), await makeTenant()];
  const { userId } = await makeUser(home, { roleIds: ["portal.default"], password });
  await makeUser(other, {
    roleIds: ["portal.default"],
    row: { userId, homeTenantId: home, passwordHash: null },
  });
  const own = await makeSession(home, userId);
  const sessions = [await makeSession(home, userId), await makeSession(other, userId)];
  const [first, second] = nodes.map(({ url }) => url) as [string, string];

  const asked: Asked[] = [];
  let isOver = false;
  const load = Promise.all(
    sessions.flatMap(({ headers }) =>
      [first, second].map((url) => keepAsking(url, headers, asked, () => isOver)),
    ),
  );
  while (asked.length < 40) await pause(20);
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  const changed = await fetch(`${first}/v1/user/password`, {
    method: "PUT",
    headers: { ...own.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ current: password, password: "an even longer password" }),
  });
  const at = performance.now();
  expect(changed.status).toBe(204);
  const late = () => asked.filter(({ startedAt }) => startedAt > at + 1000);
  while (late().length < 40) await pause(100);
  isOver = true;
  await load;

  expect(new Set(late().map(({ status }) => status))).toEqual(new Set([401]));
  const kept = await fetch(`${second}/v1/user/profile`, { headers: own.headers });
  expect(kept.status).toBe(200);
});
