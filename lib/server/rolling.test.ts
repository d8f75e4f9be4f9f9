import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { ensureBuilt, makeStoreFolder } from "./testing/product";
import { type RollingRequest, rollUnderLoad } from "./testing/rolling";

const callers = 8;
const send = testServer();
const folder = makeStoreFolder();

beforeAll(ensureBuilt, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** A caller of a separate tenant, who reads and writes. */
async function makeCaller(): Promise<RollingRequest[]> {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const session = await makeSession(tenant, userId);
  const key = await makeApiKey(tenant, userId);
  const headers = { ...key.headers, "X-Service-Site": "one" };
  const body = { key: "home", configuration: {} };
  expect((await send("POST /pim/preview", { headers, body })).status).toBe(201);
  const path = "/pim/preview/home/configuration";
  return [
    { method: "GET", path: "/v1/user/list?limit=5", headers },
    { method: "POST", path: "/v1/user/portal-token", headers: session.headers },
    { method: "PUT", path, headers, body: '{ "title": "{n}" }' },
  ];
}

test("no read or write fails while two processes behind a balancer are replaced one after the other", async () => {
  const requests = await Promise.all(Array.from({ length: callers }, makeCaller));
  const rolled = await rollUnderLoad({
    folder,
    env: { RATE_LIMITS: "off", PUBLIC_URL: "http://localhost:3000" },
    rounds: 1,
    callers,
    requestsOf: (caller) => requests[caller] ?? [],
  });
  expect(rolled.failed).toEqual([]);
  expect(rolled.requests).toBeGreaterThan(callers * 10 * 5);
}, 240_000);
