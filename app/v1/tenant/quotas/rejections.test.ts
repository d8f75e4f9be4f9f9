import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import type { QuotaName } from "@/lib/features/quotas/values";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let headers: Record<string, string>;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  tenant = await makeTenant();
  const admin = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  headers = { ...admin.headers, "X-Service-Site": "one" };
});

const limit = (quota: QuotaName, max: number) =>
  db()
    .insert(tenantQuotas)
    .values({ tenantId: tenant, quota, max })
    .onConflictDoUpdate({ target: [tenantQuotas.tenantId, tenantQuotas.quota], set: { max } });
const post = (path: string, body: object) => send(`POST ${path}`, { headers, body });
const serviceUser = (login: string) =>
  post("/v1/user/service-users", { login, name: login, roles: { roleIds: ["portal.default"] } });
const validTo = () => new Date(Date.now() + 3_600_000).toISOString();
const newKey = (name: string) => ({ name, validTo: validTo() });
const exceeded = (name: QuotaName) => ({
  status: 429,
  body: { code: "quota.exceeded", reason: name },
});

describe("429 quota.exceeded", () => {
  test("for one more key of a service user than the limit, created or handed over", async () => {
    await limit("user-keys", 1);
    const { id } = (await serviceUser("importer")).body;
    expect((await post(`/v1/user/${id}/api-keys`, newKey("first"))).status).toBe(200);
    const keys = `/v1/user/${id}/api-keys`;
    expect(await post(keys, newKey("second"))).toMatchObject(exceeded("user-keys"));
    const other = await makeUser(tenant, { roleIds: ["portal.default"] });
    const { apiKeyId } = await makeApiKey(tenant, other.userId);
    const handed = await post(`/v1/user/api-keys/${apiKeyId}/handover`, { userId: id });
    expect(handed).toMatchObject(exceeded("user-keys"));
  });

  test("for one more service user than the limit", async () => {
    await limit("users", 2);
    expect((await serviceUser("first")).status).toBe(201);
    expect(await serviceUser("second")).toMatchObject(exceeded("users"));
  });

  test("for more bytes of preview configurations than the limit, written or restored", async () => {
    const path = "/pim/preview/home";
    const configuration = (length: number) => ({ text: "x".repeat(length) });
    await post("/pim/preview", { key: "home", configuration: configuration(4000) });
    const put = (body: object) =>
      send(`PUT ${path}/configuration`, { headers: { ...headers, "If-Match": "*" }, body });
    expect((await put(configuration(10))).status).toBe(200);
    await limit("preview-bytes", 4500);
    expect(await put(configuration(4000))).toMatchObject(exceeded("preview-bytes"));
    const restored = await post(`${path}/revisions/1/restore`, {});
    expect(restored).toMatchObject(exceeded("preview-bytes"));
  });
});

test("404: support sets no limit of an unknown tenant", async () => {
  const platform = await makeTenant({ siteIds: [] });
  const given = { roleIds: ["tenant.admin"], row: { isSystem: true } };
  const support = await makeSignedInUser(platform, given);
  const sent = { headers: support.headers, body: { limit: 5 } };
  const answer = await send("PUT /v1/tenants/no-such-tenant/quotas/sites", sent);
  expect([answer.status, answer.body.code]).toEqual([404, "tenant.not-found"]);
});
