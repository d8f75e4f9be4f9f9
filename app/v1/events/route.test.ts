import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const dayMilliseconds = 86_400_000;

async function world() {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  const happen = (id: string, days = 0) =>
    transaction((tx) =>
      record(
        tx,
        actingAsSystem(tenant, "test"),
        { action: "user.locked", target: { type: "user", id } },
        new Date(Date.now() - days * dayMilliseconds),
      ),
    );
  return { tenant, happen, headers: (await makeApiKey(tenant, userId)).headers };
}

const next = (answer: { headers: Headers }) =>
  /^<(.+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];

test("200: a client that follows Link sees each event of the last 30 days once, oldest first, and then new ones", async () => {
  const { tenant, happen, headers } = await world();
  await happen("too-old", 31);
  for (const id of ["a", "b", "c"]) await happen(id, 1);
  const first = await send("GET /v1/events?limit=2", { headers });
  expect(first.body.map((event: { subject: string }) => event.subject)).toEqual([
    "user/a",
    "user/b",
  ]);
  expect(first.body[0]).toMatchObject({
    specversion: "1.0",
    source: `/tenants/${tenant}`,
    type: "gatehouse.user.locked",
    datacontenttype: "application/json",
    data: { actor: { type: "system", id: "test" }, target: { id: "a" }, result: "success" },
  });
  expect(first.body[0].id).toMatch(/^evt_/);
  expect(first.text).not.toContain("address");
  const second = await send(`GET ${next(first)}`, { headers });
  expect(second.body.map((event: { subject: string }) => event.subject)).toEqual(["user/c"]);
  const third = await send(`GET ${next(second)}`, { headers });
  expect(third.body).toEqual([]);
  await happen("d");
  expect((await send(`GET ${next(third)}`, { headers })).body).toMatchObject([
    { subject: "user/d" },
  ]);
});

test("200: as a batch of CloudEvents on request", async () => {
  const { happen, headers } = await world();
  await happen("a");
  const answer = await send("GET /v1/events", {
    headers: { ...headers, Accept: "application/cloudevents-batch+json" },
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/cloudevents-batch+json",
  ]);
});

test("400: an event of another tenant is reported as unknown, like one that never existed", async () => {
  const [one, other] = [await world(), await world()];
  await other.happen("a");
  const [event] = (await send("GET /v1/events", { headers: other.headers })).body;
  for (const after of [event.id, `evt_${"0".repeat(26)}`, "x"]) {
    const answer = await send(`GET /v1/events?after=${after}`, { headers: one.headers });
    expect([answer.status, answer.body.reason]).toEqual([400, "?after"]);
  }
});

test("403: without event.read", async () => {
  const { tenant } = await world();
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const answer = await send("GET /v1/events", {
    headers: (await makeApiKey(tenant, userId)).headers,
  });
  expect([answer.status, answer.body.reason]).toEqual([403, "event.read"]);
});
