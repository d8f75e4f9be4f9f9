import { expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { minuteMs } from "./grains";
import { readUsageSummary } from "./usage-summary";
import { writeCells } from "./write";

/** A reader of metrics with a key, in a new tenant. */
async function makeReader() {
  const tenantId = await makeTenant();
  const { userId } = await makeUser(tenantId, { roleIds: ["portal.analytics.mgmt"] });
  const { headers, apiKeyId } = await makeApiKey(tenantId, userId);
  const { caller } = await authenticate(new Headers(headers), {
    ...{ tenantId, accepted: ["apiKey"], operation: "test" },
    origin: { requestId: "req-1", address: "127.0.0.1", agent: "test" },
  });
  return { tenantId, apiKeyId, caller };
}

test("calls of programs, the most failing endpoint and key, and the same hours of the previous day", async () => {
  const { tenantId, apiKeyId, caller } = await makeReader();
  const label = { domain: "user", method: "GET" };
  const list = { ...label, endpoint: "GET /v1/user/list" };
  const profile = { ...label, endpoint: "GET /v1/user/profile" };
  const byKey = { credentialKind: "apiKey", apiKey: apiKeyId } as const;
  const hour = 60 * minuteMs;
  const now = Math.floor(Date.now() / minuteMs) * minuteMs - minuteMs;
  const cell = (at: number, labels: Parameters<typeof encodeLabels>[0], count: number) => ({
    ...{ at, values: encodeLabels(labels), count },
  });
  await writeCells({ tenantId, source: "test", seq: 1 }, [
    cell(now, { ...list, status: "200", ...byKey }, 10),
    cell(now, { ...list, status: "500", ...byKey }, 3),
    cell(now, { ...profile, status: "503", credentialKind: "session" }, 2),
    cell(now - 20 * hour, { ...list, status: "200", credentialKind: "session" }, 5),
    cell(now - 24 * hour, { ...list, status: "200", ...byKey }, 7),
    cell(now - 30 * hour, { ...list, status: "500", ...byKey }, 1),
  ]);
  const summary = await readUsageSummary(caller);
  expect(summary).toMatchObject({
    byPrograms: 13,
    failing: {
      endpoint: { name: "GET /v1/user/list", errors: 3 },
      apiKey: { name: apiKeyId, errors: 3 },
    },
    before: { errors: 1 },
  });
  expect(summary?.calls.reduce((sum, value) => sum + value, 0)).toBe(20);
  expect(summary?.before.calls.reduce((sum, value) => sum + value, 0)).toBe(8);
});

test("every hour of the last day except the current one is complete", async () => {
  const tenantId = await makeTenant();
  const { userId } = await makeUser(tenantId, { roleIds: ["portal.analytics.mgmt"] });
  const { headers } = await makeApiKey(tenantId, userId);
  const label = { domain: "user", endpoint: "GET /v1/user/list", method: "GET", status: "200" };
  const values = encodeLabels({ ...label, credentialKind: "none" });
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  const cells = Array.from({ length: 26 * 60 }, (_, minutes) => ({
    ...{ at: now - minutes * minuteMs, values, count: 1 },
  }));
  await writeCells({ tenantId, source: "test", seq: 1 }, cells);
  const { caller } = await authenticate(new Headers(headers), {
    ...{ tenantId, accepted: ["apiKey"], operation: "test" },
    origin: { requestId: "req-1", address: "127.0.0.1", agent: "test" },
  });
  const { calls = [], times = [] } = (await readUsageSummary(caller)) ?? {};
  expect(times).toHaveLength(calls.length);
  expect(calls.length).toBeGreaterThanOrEqual(24);
  expect(new Set(calls.slice(0, -1))).toEqual(new Set([60]));
});
