import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ensureBuilt,
  makeStoreFolder,
  type Product,
  startProduct,
} from "@/lib/server/testing/product";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const callers = 200;
let nodes: Product[] = [];

beforeAll(async () => {
  ensureBuilt();
  const folder = makeStoreFolder();
  const env = { RATE_LIMITS: "off", PUBLIC_URL: "http://localhost:3000" };
  nodes = await Promise.all([startProduct(folder, env), startProduct(folder, env)]);
}, 180_000);

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

interface Asked {
  startedAt: number;
  answeredAt: number;
  status: number;
}

/** Asks again and again, until it is stopped. */
async function keepAsking(
  url: string,
  headers: Record<string, string>,
  asked: Asked[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const startedAt = performance.now();
    const { status, body } = await fetch(`${url}/v1/user/profile`, { headers });
    await body?.cancel();
    asked.push({ startedAt, answeredAt: performance.now(), status });
  }
}

test("a lock reaches 200 callers by session, key and bearer on two processes within a second", async () => {
  const tenant = await makeTenant();
  const admin = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const session = await makeSession(tenant, userId);
  const key = await makeApiKey(tenant, userId);
  const [first, second] = nodes.map(({ url }) => url) as [string, string];
  const token = await fetch(`${first}/v1/user/portal-token`, {
    method: "POST",
    headers: session.headers,
  });
  const { accessToken } = (await token.json()) as { accessToken: string };
  const bearer = { "X-Service-Tenant": tenant, Authorization: `Bearer ${accessToken}` };
  const credentials: Record<string, string>[] = [session.headers, key.headers, bearer];

  const asked: Asked[] = [];
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: callers }, (_, n) =>
      keepAsking(n % 2 ? first : second, credentials[n % 3] ?? bearer, asked, () => isOver),
    ),
  );
  while (asked.length <= callers) await pause(20);
  const headers = { ...admin.headers, "Content-Type": "application/json" };
  let askedToLockAt = performance.now();
  const lock = () => {
    askedToLockAt = performance.now();
    const body = JSON.stringify({ reason: "test" });
    return fetch(`${first}/v1/user/${userId}/lock`, { method: "POST", headers, body });
  };
  let locked = await lock();
  // A busy machine rejects some of what 200 callers ask, and this with it: then nothing is locked.
  for (; locked.status === 503; locked = await lock())
    await pause(1000 * Number(locked.headers.get("retry-after")));
  const at = performance.now();
  expect(locked.status).toBe(200);
  const late = () => asked.filter(({ startedAt }) => startedAt > at + 1000);
  while (late().length <= callers) await pause(100);
  isOver = true;
  await load;

  const before = asked.filter(({ answeredAt }) => answeredAt < askedToLockAt);
  expect(before.length).toBeGreaterThan(callers);
  // A 503 of a busy machine says nothing of a credential.
  const answers = (all: Asked[]) =>
    new Set(all.map(({ status }) => status).filter((status) => status !== 503));
  expect(answers(before)).toEqual(new Set([200]));
  expect(answers(late())).toEqual(new Set([403]));
}, 60_000);
