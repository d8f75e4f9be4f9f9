import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { forgetOldSample } from "@/lib/features/metrics/sample-traffic";
import { makeSampleCalls, range } from "@/lib/features/metrics/testing/sample-calls";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const path = "/v1/api-metrics/sample-traffic";
const dayMs = 86_400_000;

const adminOf = async (tenant: string) =>
  (await makeSession(tenant, (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId))
    .headers;
const add = (headers: Headers) => send(`PUT ${path}`, { headers });
const get = (headers: Headers, question: string) =>
  send(`GET /v1/api-metrics/${question}`, { headers });

/** All rows of the tenant's metrics, in one text. */
async function rowsOf(tenant: string): Promise<string> {
  const tables = ["series", "batches", "tails", "minutes", "quarters", "quarters_cube", "days"];
  const texts = await Promise.all(
    tables.map(async (table) => {
      const name = sql.identifier(`metric_${table}`);
      const { rows } = await db().execute<{ all: string }>(
        sql`select coalesce(string_agg(r::text, '|' order by r::text), '') as all from ${name} r where r.tenant_id = ${tenant}`,
      );
      return rows[0]?.all;
    }),
  );
  return texts.join("\n");
}

/** The API's responses about the real calls. */
async function figuresOf(headers: Headers): Promise<unknown[]> {
  const questions = [
    `metrics/timeserie-counts?${range}&group=endpoint&group=apiKey`,
    `metrics/timeserie-counts?from=2000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z&period=month`,
    `metrics/timeserie-latencies?${range}&period=hour`,
    `metrics/top?${range}&group=status`,
    `metrics/export?${range}&group=domain`,
    "metadata",
  ];
  const answers = await Promise.all(questions.map((question) => get(headers, question)));
  return answers.map(({ status, body }) => [status, { ...body, sampleTraffic: undefined }]);
}

let tenant: string;
let admin: Headers;
let reader: Headers;

beforeAll(async () => {
  ({ tenant, headers: reader } = await makeSampleCalls());
  admin = await adminOf(tenant);
});

test("200: adds two days with an incident of one key, shown by ?sample=true; real figures do not change", async () => {
  const [figures, rows] = [await figuresOf(reader), await rowsOf(tenant)];
  const [one, other] = await Promise.all([add(admin), add(admin)]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.body).toEqual(other.body);
  const { from, to, expiresAt } = one.body;
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(2 * dayMs);
  expect(Math.floor((Date.parse(expiresAt) - Date.parse(to)) / dayMs)).toBe(7);
  expect(await figuresOf(reader)).toEqual(figures);

  const day = `from=${new Date(Date.parse(to) - dayMs).toISOString()}&to=${to}&sample=true`;
  const { body: failing } = await get(reader, `metrics/top?${day}&statusClass=5xx&group=apiKey`);
  expect(failing[0].groups).toEqual({ apiKey: "sample-catalog-import" });
  expect(failing[0].share).toBeGreaterThan(0.7);
  const count = async (group: string) =>
    (await get(reader, `metrics/top?from=${from}&to=${to}&sample=true&group=${group}`)).body.reduce(
      (sum: number, one: { count: number }) => sum + one.count,
      0,
    );
  const [bySite, byCombination] = [await count("site"), await count("site&group=status")];
  expect(bySite).toBeGreaterThan(50_000);
  expect(byCombination).toBe(bySite);
  const { body: about } = await get(reader, "metadata?sample=true");
  expect(about).toMatchObject({ isSynthetic: true, sampleTraffic: one.body, sites: ["one"] });
  expect(about.apiKeys.map(({ id }: { id: string }) => id)).toEqual([
    "sample-catalog-import",
    "sample-storefront",
  ]);

  const entries = async () =>
    (await send("GET /v1/audit/events?limit=2", { headers: admin })).body.map(
      ({ action }: { action: string }) => action,
    );
  expect((await entries()).filter((action: string) => action.includes("sample"))).toHaveLength(1);
  const removals = [1, 2].map(() => send(`DELETE ${path}`, { headers: admin }));
  expect((await Promise.all(removals)).map(({ status }) => status)).toEqual([204, 204]);
  expect(await entries()).toEqual(["tenant.sample-traffic-removed", "tenant.sample-traffic-added"]);
  expect(await rowsOf(tenant)).toBe(rows);
  expect((await get(reader, "metadata")).body.sampleTraffic).toBeNull();
});

test("200: removed sample traffic can be added again within a week; no other tenant sees it", async () => {
  const rows = await rowsOf(tenant);
  const { from, to, expiresAt } = (await add(admin)).body;
  const top = `metrics/top?from=${from}&to=${to}&sample=true&group=domain`;
  expect((await get(admin, top)).body.length).toBeGreaterThan(2);
  const stranger = await adminOf(await makeTenant());
  expect((await get(stranger, top)).body).toEqual([]);
  expect((await get(stranger, "metadata?sample=true")).body).toMatchObject({
    endpoints: [],
    sampleTraffic: null,
  });
  await forgetOldSample(tenant, new Date(Date.parse(expiresAt) - 1));
  expect((await get(admin, "metadata")).body.sampleTraffic).toMatchObject({ expiresAt });
  await forgetOldSample(tenant, new Date(expiresAt));
  expect(await rowsOf(tenant)).toBe(rows);
});

describe("rejected", () => {
  test("403: without tenant.manage", async () => {
    for (const method of ["PUT", "DELETE"] as const) {
      const { userId } = await makeUser(tenant, { roleIds: ["portal.analytics.mgmt"] });
      const { headers } = await makeSession(tenant, userId);
      const { status, body } = await send(`${method} ${path}`, { headers });
      expect([status, body.code]).toEqual([403, "auth.permission-missing"]);
    }
  });

  test("409: a tenant that is no sandbox; nothing is written", async () => {
    const production = await makeTenant();
    await db().update(tenants).set({ kind: "production" }).where(eq(tenants.tenantId, production));
    const rows = await rowsOf(production);
    const { status, body } = await add(await adminOf(production));
    expect([status, body.code]).toEqual([409, "tenant.sandbox-only"]);
    expect(await rowsOf(production)).toBe(rows);
  });

  test("400: a sample parameter other than true", async () => {
    for (const question of [`metrics/timeserie-counts?${range}&sample=1`, "metadata?sample=yes"])
      expect(await get(reader, question)).toMatchObject({
        status: 400,
        body: { code: "request.validation-failed" },
      });
  });
});
