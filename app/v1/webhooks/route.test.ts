import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { webhooks } from "@/lib/database/schema/schema";
import { actionsOf } from "@/lib/features/audit/testing/trail";
import {
  expectedSignature,
  openReceiver,
  status,
} from "@/lib/features/destinations/webhooks/testing/receiver";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const url = "https://hooks.example/gatehouse";

beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  const { headers } = await makeSession(tenant, userId);
  const create = async (body: object = {}) => {
    const answer = await send("POST /v1/webhooks", {
      headers,
      body: { url, types: ["user.*"], ...body },
    });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const actions = () => actionsOf(tenant);
  return { tenant, userId, headers, create, actions };
}

test("201: the secret is shown once, and stored encrypted", async () => {
  const { tenant, headers, create, actions } = await world();
  const { body, headers: sent } = await create({ site: "one", description: "Stock" });
  expect(body).toMatchObject({
    url,
    types: ["user.*"],
    site: "one",
    description: "Stock",
    status: "enabled",
    disabledReason: null,
    failingSince: null,
  });
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(sent.get("location")).toBe(`/v1/webhooks/${body.id}`);
  for (const path of ["/v1/webhooks", `/v1/webhooks/${body.id}`])
    expect((await send(`GET ${path}`, { headers })).text).not.toContain("whsec_");
  const [row] = await db().select().from(webhooks).where(eq(webhooks.tenantId, tenant));
  const bytes = Buffer.from(body.secret.replace("whsec_", ""), "base64");
  expect(row?.secret.includes(bytes)).toBe(false);
  expect(await actions()).toEqual(["webhook.created"]);
});

test("201: with an API key that has the permission; 403 without", async () => {
  const { tenant, userId } = await world();
  const plain = await makeApiKey(tenant, userId);
  const naming = await makeApiKey(tenant, userId, { permissions: ["webhook.manage"] });
  const body = { url, types: ["*"] };
  expect((await send("POST /v1/webhooks", { headers: plain.headers, body })).status).toBe(403);
  expect((await send("POST /v1/webhooks", { headers: naming.headers, body })).status).toBe(201);
});

test("400 for an invalid URL, type or site", async () => {
  const { headers } = await world();
  const wrong = [
    [{ url: "http://127.0.0.2/" }, "/url"],
    [{ url: "https://10.0.0.1/" }, "/url"],
    [{ url: "ftp://hooks.example/" }, "/url"],
    [{ types: [] }, "/types"],
    [{ types: ["user.flies"] }, "/types/0"],
    [{ site: "nowhere" }, "/site"],
  ] as const;
  for (const [given, pointer] of wrong) {
    const body = { url, types: ["user.*"], ...given };
    const answer = await send("POST /v1/webhooks", { headers, body });
    expect(answer.status, pointer).toBe(400);
    expect(answer.text).toContain(pointer);
  }
});

test("400: plain http in production", async () => {
  const { headers } = await world();
  vi.stubEnv("NODE_ENV", "production");
  const body = { url: "http://hooks.example/", types: ["*"] };
  expect((await send("POST /v1/webhooks", { headers, body })).status).toBe(400);
});

test("200: a list in pages, newest first", async () => {
  const { headers, create } = await world();
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await create()).body.id);
  const first = await send("GET /v1/webhooks?limit=2", { headers });
  const next = /<(.+)>/.exec(first.headers.get("link") ?? "")?.[1];
  const second = await send(`GET ${next}`, { headers });
  const listed = [...first.body, ...second.body].map(({ id }: { id: string }) => id);
  expect(listed).toEqual(ids);
});

test("200: the given fields are changed and recorded; 412 for an outdated ETag", async () => {
  const { headers, create, actions } = await world();
  const { id } = (await create()).body;
  const shown = await send(`GET /v1/webhooks/${id}`, { headers });
  const tag = { "If-Match": shown.headers.get("etag") ?? "" };
  const change = { headers: { ...headers, ...tag }, body: { types: ["site.*"] } };
  const changed = await send(`PATCH /v1/webhooks/${id}`, change);
  expect([changed.status, changed.body.types, changed.body.url]).toEqual([200, ["site.*"], url]);
  expect((await send(`PATCH /v1/webhooks/${id}`, change)).status).toBe(412);
  const gone = await send(`DELETE /v1/webhooks/${id}`, { headers: change.headers });
  expect(gone.status).toBe(412);
  expect((await send(`DELETE /v1/webhooks/${id}`, { headers })).status).toBe(204);
  expect((await send(`GET /v1/webhooks/${id}`, { headers })).status).toBe(404);
  expect(await actions()).toEqual(["webhook.created", "webhook.updated", "webhook.deleted"]);
});

test("200: disabled and enabled, each recorded once", async () => {
  const { headers, create, actions } = await world();
  const { id } = (await create()).body;
  const call = async (verb: string) =>
    (await send(`POST /v1/webhooks/${id}/${verb}`, { headers })).body;
  expect(await call("disable")).toMatchObject({ status: "disabled", disabledReason: "by-user" });
  await call("disable");
  expect(await call("enable")).toMatchObject({ status: "enabled", disabledReason: null });
  await call("enable");
  expect(await actions()).toEqual(["webhook.created", "webhook.disabled", "webhook.enabled"]);
});

test("200: a test is sent once, signed with both secrets during a rotation", async () => {
  const receiver = await openReceiver();
  const { headers, create } = await world();
  const { id, secret } = (await create({ url: receiver.url })).body;
  const rotated = await send(`POST /v1/webhooks/${id}/rotate`, { headers });
  expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
  const tested = await send(`POST /v1/webhooks/${id}/test`, { headers });
  expect(tested.body).toMatchObject({ delivered: true, attempt: { status: 204 } });
  const [one] = receiver.received;
  if (!one) throw new Error("Nothing was received.");
  expect(one.headers["webhook-id"]).toBe(tested.body.eventId);
  expect(one.body).toMatchObject({ specversion: "1.0", type: "gatehouse.webhook.tested" });
  expect(one.headers["content-type"]).toContain("application/cloudevents+json");
  expect(String(one.headers["webhook-signature"]).split(" ")).toEqual([
    expectedSignature(rotated.body.secret, one),
    expectedSignature(secret, one),
  ]);
  const early = await send(`POST /v1/webhooks/${id}/rotate`, { headers, body: {} });
  expect([early.status, early.body.code]).toEqual([409, "webhook.rotation-in-progress"]);
  expect(early.body.reason).toBe(rotated.body.previousValidTo);
  const forced = { overlap: "PT0S", force: true };
  await send(`POST /v1/webhooks/${id}/rotate`, { headers, body: forced });
  await send(`POST /v1/webhooks/${id}/test`, { headers });
  expect(String(receiver.received[1]?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  expect(
    (await send(`POST /v1/webhooks/${id}/rotate`, { headers, body: { overlap: "P8D" } })).status,
  ).toBe(400);
  await receiver.close();
});

test("200: a redirect is not followed, and the endpoint's response is shown", async () => {
  const inner = await openReceiver();
  const receiver = await openReceiver(status(302, { location: inner.url }));
  const { headers, create } = await world();
  const { id } = (await create({ url: receiver.url })).body;
  const redirected = await send(`POST /v1/webhooks/${id}/test`, { headers });
  expect(redirected.body).toMatchObject({ delivered: false, attempt: { status: 302 } });
  expect(inner.connections()).toBe(0);
  receiver.reply((response) => response.writeHead(500).end("x".repeat(100_000)));
  const failed = await send(`POST /v1/webhooks/${id}/test`, { headers });
  expect(failed.body.attempt).toMatchObject({ status: 500, response: "x".repeat(1024) });
  await Promise.all([receiver.close(), inner.close()]);
});

test("404 for an unknown or foreign webhook", async () => {
  const [one, other] = [await world(), await world()];
  const { id } = (await other.create()).body;
  const { headers } = one;
  for (const which of [id, "wh_x"]) {
    expect((await send(`GET /v1/webhooks/${which}`, { headers })).status).toBe(404);
    expect((await send(`DELETE /v1/webhooks/${which}`, { headers })).status).toBe(404);
    for (const verb of ["rotate", "test", "enable", "disable"])
      expect((await send(`POST /v1/webhooks/${which}/${verb}`, { headers })).status).toBe(404);
  }
});

test("429: a sandbox has at most 20", async () => {
  const { headers, create } = await world();
  for (let n = 0; n < 20; n += 1) await create();
  const answer = await send("POST /v1/webhooks", { headers, body: { url, types: ["*"] } });
  expect([answer.status, answer.body.code]).toEqual([429, "quota.exceeded"]);
});
