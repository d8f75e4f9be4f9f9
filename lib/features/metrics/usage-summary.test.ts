import { expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { encodeLabels } from "./call-labels";
import { minuteMs } from "./grains";
import { readUsageSummary } from "./usage-summary";
import { writeCells } from "./write";

test("every hour of the last day but the one that is running is whole", async () => {
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
  const { calls = [] } = (await readUsageSummary(caller)) ?? {};
  expect(calls.length).toBeGreaterThanOrEqual(24);
  expect(new Set(calls.slice(0, -1))).toEqual(new Set([60]));
});
