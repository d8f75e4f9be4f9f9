import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { writeCalls } from "@/lib/features/alerts/testing/calls";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
const minuteMs = 60_000;
const rule = { measure: "error-rate", threshold: 0.05, window: "PT1H" };

async function world() {
  const tenant = await makeTenant();
  const { headers } = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const ofTenant = eq(auditEvents.tenantId, tenant);
  return { tenant, headers, entries: () => db().$count(auditEvents, ofTenant) };
}

test("200: a test returns when the rule would have fired, saved or not", async () => {
  const { tenant, headers, entries } = await world();
  const base = Math.floor(Date.now() / minuteMs) * minuteMs - 1500 * minuteMs;
  const at = (minute: number) => new Date(base + minute * minuteMs).toISOString();
  await writeCalls(tenant, base, { from: 0, to: 60, count: 10 });
  await writeCalls(tenant, base, { from: 60, to: 80, count: 10, status: 503 });
  await writeCalls(tenant, base, { from: 80, to: 1400, count: 1 });
  const tried = await send("POST /v1/alerts/test", { headers, body: { ...rule, days: 2 } });
  expect(tried.status, tried.text).toBe(200);
  const { count: fired, firings, times, values } = tried.body;
  expect(fired).toBe(1);
  // 40 of 600 calls failed, more than 0.05; the short window has no failures from five minutes after the end.
  expect(firings).toMatchObject([{ from: at(64), to: at(85) }]);
  expect(firings[0].peak).toBeGreaterThan(0.3);
  expect(times.length).toBe(values.length);
  expect(Math.max(...values)).toBeGreaterThanOrEqual(firings[0].peak);
  expect(await entries()).toBe(0);
  const named = { ...rule, name: "Errors" };
  const { id } = (await send("POST /v1/alerts", { headers, body: named })).body;
  const saved = await send(`POST /v1/alerts/${id}/test`, { headers, body: { days: 2 } });
  expect(saved.body.firings).toEqual(firings);
  const quiet = await send("POST /v1/alerts/test", {
    headers,
    body: { ...rule, filter: { site: "one" }, days: 7 },
  });
  expect(quiet.body).toMatchObject({ count: 0, firings: [] });
  expect(await entries()).toBe(1);
});

test("200: a test of a silence rule also reads the day before, and a current firing has no end", async () => {
  const { tenant, headers } = await world();
  const base = Math.floor(Date.now() / minuteMs) * minuteMs - 300 * minuteMs;
  await writeCalls(tenant, base, { from: 0, to: 100, count: 1 });
  const body = { measure: "silence", threshold: 0, window: "PT30M", minimumCount: 100 };
  const found = await send("POST /v1/alerts/test", { headers, body });
  const from = new Date(base + 130 * minuteMs).toISOString();
  expect(found.body.firings).toEqual([{ from, to: null, peak: 0 }]);
  const more = await send("POST /v1/alerts/test", {
    headers,
    body: { ...body, minimumCount: 101 },
  });
  expect(more.body.count).toBe(0);
});
