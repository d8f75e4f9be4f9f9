import { beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const dayMs = 86_400_000;

let tenant: string;
let writer: Headers;
let reader: Headers;

async function sessionWith(given: Parameters<typeof makeUser>[1]) {
  return (await makeSession(tenant, (await makeUser(tenant, given)).userId)).headers;
}

beforeAll(async () => {
  tenant = await makeTenant();
  writer = await sessionWith({ roleIds: ["tenant.admin"] });
  reader = await sessionWith({ roleIds: ["portal.analytics.mgmt"] });
});

const deploy = (more: object = {}) => ({
  at: new Date().toISOString(),
  title: "Storefront 4.2",
  kind: "deploy",
  ...more,
});

describe("400", () => {
  test.each([
    ["a time too long ago", { at: new Date(Date.now() - 401 * dayMs).toISOString() }, "/at"],
    ["a time too far ahead", { at: new Date(Date.now() + 8 * dayMs).toISOString() }, "/at"],
    ["an end before the start", { until: new Date(Date.now() - dayMs).toISOString() }, "/until"],
    ["an end too late", { until: new Date(Date.now() + 32 * dayMs).toISOString() }, "/until"],
    ["no title", { title: " " }, "/title"],
    ["a long title", { title: "t".repeat(201) }, "/title"],
    ["a title of two lines", { title: "first\nsecond" }, "/title"],
    ["a kind that is no word", { kind: "Deploy 1" }, "/kind"],
    ["a long kind", { kind: "k".repeat(33) }, "/kind"],
    ["an address that runs as a script", { url: "javascript:alert(1)" }, "/url"],
    ["an address with a password", { url: "https://ci:secret@ci.example/" }, "/url"],
    ["an unknown field", { colour: "red" }, "/colour"],
  ])("%s", async (_, more, pointer) => {
    const answer = await send("POST /v1/api-metrics/markers", {
      headers: writer,
      body: deploy(more),
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`"${pointer}"`);
  });

  test.each([
    ["not of this service", ["2026-11-22", "mark_1", ""]],
    ["a day that does not exist", ["2026-99-22T00:00:00.000Z", "mark_1", ""]],
    ["a number that is none", ["2026-11-22T00:00:00.000Z", "aud_1", "x"]],
  ])("a cursor %s", async (_, values) => {
    const cursor = Buffer.from(JSON.stringify(values)).toString("base64url");
    const { status } = await send(`GET /v1/api-metrics/markers?cursor=${cursor}`, {
      headers: reader,
    });
    expect(status).toBe(400);
  });
});

test("401 without a credential; 403 for a caller who may read but not write, and for a role at one site", async () => {
  const anonymous = { "X-Service-Tenant": tenant };
  const post = async (headers: Headers) =>
    (await send("POST /v1/api-metrics/markers", { headers, body: deploy() })).status;
  expect(await post(anonymous)).toBe(401);
  expect(await post(reader)).toBe(403);
  expect((await send("GET /v1/api-metrics/markers", { headers: anonymous })).status).toBe(401);
  const atSite = await sessionWith({ sites: { one: ["portal.data-feed.mgmt"] } });
  expect(await post({ ...atSite, "X-Service-Site": "one" })).toBe(403);
});
