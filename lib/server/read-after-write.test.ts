import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt, makeStoreFolder, type Product, startProduct } from "./testing/product";
import { checkReads } from "./testing/read-after-write";

const dataDir = makeStoreFolder();
const products: Product[] = [];
const env = { DATABASE_URL: "", DEMO: "on", RATE_LIMITS: "off" };
const tenant = { "X-Service-Tenant": "demo" };
const json = { ...tenant, "Content-Type": "application/json" };

beforeAll(async () => {
  ensureBuilt();
  products.push(await startProduct(dataDir, env), await startProduct(dataDir, env));
}, 300_000);
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()));
  rmSync(dataDir, { recursive: true });
});

/** Signs in as the administrator of the demo, with this run's password. */
async function signIn({ url, output }: Product): Promise<Record<string, string>> {
  while (!output().includes("is reached at")) await pause(20);
  const password = /Password\s+(\S+)/.exec(output())?.[1] ?? "";
  const enter = (secret: string) =>
    fetch(`${url}/v1/user/session-login`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ login: "admin", tenant: "demo", password: secret }),
    }).then((response) => response.json());
  const next = "a new password for this test";
  const { sessionId: first } = await enter(password);
  await fetch(`${url}/v1/user/password`, {
    method: "PUT",
    headers: { ...json, "X-Service-Session-Id": first },
    body: JSON.stringify({ current: password, password: next }),
  });
  const { sessionId } = await enter(next);
  return { ...tenant, "X-Service-Session-Id": sessionId };
}

test("the next list of either process has every acknowledged write, also with concurrent readers", async () => {
  const [first, second] = products as [Product, Product];
  const headers = await signIn(first);
  const listed = await fetch(`${first.url}/v1/user/list?limit=50`, { headers });
  const users: { id: string; login: string }[] = await listed.json();
  const userId = users.find(({ login }) => login !== "admin")?.id ?? "";
  const checked = await checkReads({
    ...{ urls: [first.url, second.url], headers, userId, readers: 16 },
    ...{ atLeastReads: 1000, atLeastWrites: 100 },
  });
  expect(checked).toMatchObject({ stale: 0 });
});
