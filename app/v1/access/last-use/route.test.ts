import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import type { LastUse } from "@/lib/catalogue/access-contract";
import { findLastUses } from "@/lib/catalogue/last-use";
import { db } from "@/lib/database/open";
import { metricSeries } from "@/lib/database/schema/schema";
import { encodeLabels, overflow } from "@/lib/features/metrics/call-labels";
import { dayMs, minuteMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
const list = "GET /v1/user/list";
let tenant: string;
let admin: Awaited<ReturnType<typeof makeSignedInUser>>;
let low: Awaited<ReturnType<typeof makeSignedInUser>>;
let seq = 0;

beforeEach(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  low = await makeSignedInUser(tenant, { roleIds: ["portal.qa.mgmt", "portal.order.mgmt"] });
});

interface Called {
  endpoint: string;
  user?: string;
  apiKey?: string;
  site?: string;
  status?: string;
  daysAgo?: number;
}

/** Records a call `daysAgo` days ago, and backdates the metrics dictionary's entry for it. */
async function called({ endpoint, user = low.userId, daysAgo = 0, ...labels }: Called) {
  const status = labels.status ?? "200";
  const all = { domain: "user", method: "GET", endpoint, user, ...labels, status };
  const at = Math.floor(Date.now() / minuteMs) * minuteMs - daysAgo * dayMs;
  seq += 1;
  await writeCells({ tenantId: tenant, source: "last-use-test", seq }, [
    { at, values: encodeLabels(all), count: 1 },
  ]);
  const ofTenant = eq(metricSeries.tenantId, tenant);
  const { site = "" } = labels;
  const sameCall = and(eq(metricSeries.endpoint, endpoint), eq(metricSeries.site, site));
  const same = and(ofTenant, sameCall, eq(metricSeries.user, user));
  const seenAt = new Date(Date.now() - daysAgo * dayMs);
  if (daysAgo > 0) await db().update(metricSeries).set({ seenAt }).where(same);
}

async function callerOf({ headers }: typeof admin) {
  const { caller } = await authenticate(new Headers(headers), {
    tenantId: tenant,
    accepted: ["session"],
    origin: { requestId: "req-1", address: "127.0.0.1", agent: "test" },
    operation: "test",
  });
  return caller;
}

const asked = async (
  query = `userId=${low.userId}`,
  headers: Record<string, string> = admin.headers,
) => send(`GET /v1/access/last-use?${query}`, { headers });

describe("200", () => {
  test("the newest call of each permission, at each site, without rejected calls", async () => {
    await called({ endpoint: list, site: "one" });
    await called({ endpoint: "GET /v1/user/{id}", site: "one", daysAgo: 5 });
    await called({ endpoint: list, daysAgo: 100 });
    await called({ endpoint: "PATCH /v1/user/{id}", status: "403" });
    await called({ endpoint: "GET /v1/audit", user: admin.userId });
    const { body, status, text } = await asked();
    expect(status, text).toBe(200);
    const day = (at: string) => Math.round((Date.now() - Date.parse(at)) / dayMs);
    const uses = body.uses.map(
      ({ permission, site, lastUsedAt }: Record<"permission" | "site" | "lastUsedAt", string>) => [
        ...[permission, site, day(lastUsedAt)],
      ],
    );
    expect(uses.toSorted()).toEqual([
      ["user.read", null, 100],
      ["user.read", "one", 0],
    ]);
    expect(body.uncounted).toContain("order.manage");
    expect(body.uncounted).not.toContain("user.manage");
  });

  test("there is no data before the first counted call, and none older than 90 days", async () => {
    expect((await asked()).body).toMatchObject({ since: null, uses: [], isComplete: true });
    await called({ endpoint: list, daysAgo: 3 });
    const { body } = await asked();
    expect(Date.parse(body.since) - Date.parse(body.from)).toBeGreaterThan(86 * dayMs);
    await called({ endpoint: list, user: admin.userId, daysAgo: 95 });
    const later = (await asked()).body;
    expect(later.since).toBe(later.from);
  });

  test("calls beyond the limit of distinct users make the response incomplete", async () => {
    await called({ endpoint: list, user: overflow });
    expect((await asked()).body.isComplete).toBe(false);
  });

  test("lists roles granted since, and not those granted before", async () => {
    const path = `/v1/user/${low.userId}/roles`;
    const { headers } = admin;
    const body = { roleIds: ["portal.qa.mgmt"], sites: { one: { roleIds: ["portal.pim.mgmt"] } } };
    const put = await send(`PUT ${path}`, { headers: { ...headers, "If-Match": "*" }, body });
    expect(put.status, put.text).toBe(200);
    expect((await asked()).body.grants).toMatchObject([{ role: "portal.pim.mgmt", site: "one" }]);
  });

  test("only an API key's calls", async () => {
    const { apiKeyId, headers } = await makeApiKey(tenant, low.userId);
    await called({ endpoint: list });
    await called({ endpoint: "GET /v1/api-metrics/metrics/top", apiKey: apiKeyId });
    const { body } = await asked(`apiKeyId=${apiKeyId}`, headers);
    expect(body.uses).toMatchObject([{ permission: "api-metric.read", site: null }]);
  });

  test("with authority at one site only that site's uses and grants", async () => {
    await called({ endpoint: list, site: "one" });
    await called({ endpoint: list, site: "two" });
    const sites = { one: ["portal.users.mgmt"], two: ["portal.default"] };
    const manager = await makeSignedInUser(tenant, { sites });
    const other = await makeSignedInUser(tenant, { sites: { one: ["portal.pim.mgmt"] } });
    await called({ endpoint: list, site: "one", user: other.userId });
    await called({ endpoint: list, site: "two", user: other.userId });
    const headers = { ...manager.headers, "X-Service-Site": "one" };
    const { body } = await asked(`userId=${other.userId}`, headers);
    expect(body.uses.map(({ site }: { site: string }) => site)).toEqual(["one"]);
  });
});

test("a query for many users equals separate queries for each", async () => {
  await called({ endpoint: list, site: "one" });
  await called({ endpoint: "GET /v1/user/{id}", user: admin.userId, daysAgo: 3 });
  const path = `/v1/user/${low.userId}/roles`;
  const body = { roleIds: ["portal.qa.mgmt"], sites: { one: { roleIds: ["portal.pim.mgmt"] } } };
  await send(`PUT ${path}`, { headers: { ...admin.headers, "If-Match": "*" }, body });
  const alone = [await asked(), await asked(`userId=${admin.userId}`)];
  const together = await findLastUses(await callerOf(admin), [low.userId, admin.userId]);
  const timeless = ({ from, since, ...use }: LastUse) => ({ ...use, days: since && from < since });
  const listed = [low.userId, admin.userId].map((id) => together[id]);
  expect(listed.map((use) => use && timeless(use))).toEqual(alone.map((one) => timeless(one.body)));
  expect(listed.map((use) => [use?.uses.length, use?.grants.length])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  await expect(findLastUses(await callerOf(low), [admin.userId])).rejects.toThrow("user.read");
});

test("400 for both or none, 403 for others without user.read, 404 for a user of another tenant", async () => {
  expect((await asked("")).status).toBe(400);
  expect((await asked("userId=a&apiKeyId=b")).status).toBe(400);
  const denied = await asked(`userId=${admin.userId}`, low.headers);
  expect([denied.status, denied.body.reason]).toEqual([403, "user.read"]);
  const stranger = await makeSignedInUser(await makeTenant(), {});
  expect((await asked(`userId=${stranger.userId}`)).body.code).toBe("user.not-found");
  expect((await asked("apiKeyId=key_none")).body.code).toBe("api-key.not-found");
});
