import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { webhookDestinations } from "@/lib/features/destinations/webhooks/deliver";
import { openReceiver, status } from "@/lib/features/destinations/webhooks/testing/receiver";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const waits = { timeout: 100_000, interval: 50 };
let stop: (() => Promise<void>) | undefined;

beforeAll(() => {
  stop = startDelivering([webhookDestinations]);
});
afterAll(() => stop?.());
beforeEach(() => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function world(reply = status(204)) {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(tenant, userId);
  const receiver = await openReceiver(reply);
  const created = await send("POST /v1/webhooks", {
    headers,
    body: { url: receiver.url, types: ["site.*"] },
  });
  expect(created.status, created.text).toBe(201);
  const path = `/v1/webhooks/${created.body.id}`;
  const addSite = async (id: string) =>
    expect((await send("POST /v1/tenant/sites", { headers, body: { id, name: id } })).status).toBe(
      201,
    );
  const deliveries = async (query = "") =>
    (await send(`GET ${path}/deliveries${query}`, { headers })).body;
  return { tenant, headers, receiver, path, addSite, deliveries };
}

test("200: a change of the tenant is delivered, and listed with the body as it was sent", async () => {
  const { headers, receiver, path, addSite, deliveries } = await world();
  await addSite("new-site");
  await vi.waitFor(async () => expect(await deliveries()).toHaveLength(1), waits);
  const [listed] = await deliveries();
  expect(listed).toMatchObject({
    type: "gatehouse.site.created",
    subject: "site/new-site",
    status: "delivered",
    nextAttemptAt: null,
    attempts: [{ status: 204 }],
  });
  const shown = await send(`GET ${path}/deliveries/${listed.id}`, { headers });
  expect(shown.body.body).toBe(receiver.received[0]?.text);
  expect(await deliveries("?status=delivered&type=site.*")).toHaveLength(1);
  expect(await deliveries("?status=failed")).toEqual([]);
  expect(await deliveries("?type=user.*")).toEqual([]);
  await receiver.close();
});

test("202: an event is redelivered with the same id", async () => {
  const { headers, receiver, path, addSite, deliveries } = await world();
  await addSite("one-more");
  await vi.waitFor(
    async () => expect(await deliveries("?status=delivered")).toHaveLength(1),
    waits,
  );
  const [{ id }] = await deliveries();
  const again = await send(`POST ${path}/deliveries/${id}/redeliver`, { headers });
  expect([again.status, again.body.status]).toEqual([202, "pending"]);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), waits);
  expect(receiver.received.map(({ headers: sent }) => sent["webhook-id"])).toEqual([id, id]);
  await vi.waitFor(async () => expect((await deliveries())[0].attempts).toHaveLength(2), waits);
  await receiver.close();
});

test("202: the events of a range are redelivered, only those of the given types", async () => {
  const { headers, receiver, path, addSite } = await world();
  const from = new Date(Date.now() - 60_000).toISOString();
  for (const id of ["a1", "a2", "a3"]) await addSite(id);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), waits);
  await vi.waitFor(async () => {
    const to = new Date(Date.now() + 60_000).toISOString();
    const replayed = await send(`POST ${path}/replay`, { headers, body: { from, to } });
    expect([replayed.status, replayed.body]).toEqual([202, { events: 3, continueFrom: null }]);
  }, waits);
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(6), waits);
  const ids = receiver.received.map(({ headers: sent }) => sent["webhook-id"]);
  expect(new Set(ids).size).toBe(3);
  const backwards = { from, to: from };
  expect((await send(`POST ${path}/replay`, { headers, body: backwards })).status).toBe(400);
  const none = { from, to: new Date().toISOString(), types: ["user.locked"] };
  expect((await send(`POST ${path}/replay`, { headers, body: none })).body.events).toBe(0);
  await receiver.close();
});

test("a disabled webhook gets nothing; once enabled it gets the missed events", async () => {
  const { headers, receiver, path, addSite } = await world();
  await send(`POST ${path}/disable`, { headers });
  await addSite("missed");
  const other = await world();
  await other.addSite("later");
  await vi.waitFor(() => expect(other.receiver.received).toHaveLength(1), waits);
  expect(receiver.received).toEqual([]);
  await send(`POST ${path}/enable`, { headers });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waits);
  await Promise.all([receiver.close(), other.receiver.close()]);
});

test("404 for a foreign webhook or delivery; 403 for an API key without the permission", async () => {
  const [one, other] = [await world(), await world()];
  await other.addSite("theirs");
  await vi.waitFor(async () => expect(await other.deliveries()).toHaveLength(1), waits);
  const [{ id }] = await other.deliveries();
  const { headers } = one;
  for (const path of [`${one.path}/deliveries/${id}`, `${other.path}/deliveries/${id}`]) {
    expect((await send(`GET ${path}`, { headers })).status).toBe(404);
    expect((await send(`POST ${path}/redeliver`, { headers })).status).toBe(404);
  }
  expect((await send(`GET ${other.path}/deliveries`, { headers })).status).toBe(404);
  const { userId } = await makeUser(one.tenant, { roleIds: ["tenant.admin"] });
  const key = await makeApiKey(one.tenant, userId);
  expect((await send(`GET ${one.path}/deliveries`, { headers: key.headers })).status).toBe(403);
  await Promise.all([one.receiver.close(), other.receiver.close()]);
});
