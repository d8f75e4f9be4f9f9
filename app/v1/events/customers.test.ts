import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { bearer, openShop, password } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const newPassword = "another longer secret";

const nextOf = (answer: { headers: Headers }) =>
  /^<(.+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";

async function world() {
  const shop = await openShop(send);
  const readerWith = async (roleIds: string[]) =>
    (await makeApiKey(shop.tenant, (await makeUser(shop.tenant, { roleIds })).userId)).headers;
  const auditor = await readerWith(["portal.users.mgmt"]);
  const lock = (id: string) =>
    transaction((tx) =>
      record(tx, actingAsSystem(shop.tenant, "test"), {
        action: "user.locked",
        target: { type: "user", id, name: "Ada Example" },
        changes: { reason: { after: "left the company" } },
      }),
    );
  return { shop, auditor, readerWith, lock };
}

/** A customer who registers, signs in, changes the name and the password, and deletes the account. */
async function live({ shop }: Awaited<ReturnType<typeof world>>): Promise<string> {
  const login = "ada.shopper@example.com";
  const registered = await send("POST /v1/customer/registration", {
    headers: { ...shop.headers, ...bearer(await shop.anonymous()) },
    body: { login, password },
  });
  expect(registered.status).toBe(201);
  const headers = { ...shop.headers, ...bearer((await shop.enter(login)).accessToken) };
  const change = { headers, body: { gender: "f" } };
  expect((await send("PATCH /v1/customer/profile", change)).status).toBe(200);
  const secret = { headers, body: { current: password, password: newPassword } };
  expect((await send("POST /v1/customer/password", secret)).status).toBe(204);
  return registered.body.id;
}

test("200: customer activity is ordered by time among the audit entries, with field names and without values", async () => {
  const given = await world();
  await given.lock("before");
  const id = await live(given);
  await given.lock("after");
  const { body, text } = await send("GET /v1/events", { headers: given.auditor });
  expect(body.map((event: { type: string }) => event.type)).toEqual([
    "gatehouse.user.locked",
    "gatehouse.customer.registered",
    "gatehouse.customer.signed-in",
    "gatehouse.customer.updated",
    "gatehouse.customer.password-changed",
    "gatehouse.user.locked",
  ]);
  expect(body[3]).toMatchObject({
    subject: `customer/${id}`,
    site: "one",
    data: { actor: { type: "customer", id }, target: { id }, changes: { gender: {} } },
  });
  expect(text).not.toContain("ada.shopper");
});

test("200: a client that reads one event at a time sees the same events once, by id and by Link", async () => {
  const given = await world();
  await given.lock("before");
  await live(given);
  await given.lock("after");
  const { headers } = { headers: given.auditor };
  const all = (await send("GET /v1/events", { headers })).body.map((one: { id: string }) => one.id);
  const [byLink, byId]: [string[], string[]] = [[], []];
  for (let path = "/v1/events?limit=1"; byLink.length < all.length; ) {
    const page = await send(`GET ${path}`, { headers });
    byLink.push(page.body[0].id);
    path = nextOf(page);
  }
  for (let after = ""; byId.length < all.length; after = `&after=${byId.at(-1)}`)
    byId.push((await send(`GET /v1/events?limit=1${after}`, { headers })).body[0].id);
  expect(byLink).toEqual(all);
  expect(byId).toEqual(all);
});

test("200: only events of the given type and site", async () => {
  const given = await world();
  await given.lock("x");
  await live(given);
  const typesOf = async (query: string) =>
    (await send(`GET /v1/events?${query}`, { headers: given.auditor })).body.map(
      (event: { type: string }) => event.type.replace("gatehouse.", ""),
    );
  expect(await typesOf("type=user.*")).toEqual(["user.locked"]);
  expect(await typesOf("type=gatehouse.customer.updated")).toEqual(["customer.updated"]);
  expect(await typesOf("site=one")).toHaveLength(4);
  expect(await typesOf("site=two")).toEqual([]);
  expect(await typesOf("site=one&type=customer.s*".replace("s*", "*"))).toHaveLength(4);
  for (const wrong of ["user.nothing", "User.*", "user.l*"]) {
    const answer = await send(`GET /v1/events?type=${wrong}`, { headers: given.auditor });
    expect(answer.status, wrong).toBe(400);
  }
});

test("200: a filtered page continues after the skipped events", async () => {
  const given = await world();
  await given.lock("x");
  const first = await send("GET /v1/events?type=customer.*", { headers: given.auditor });
  expect(first.body).toEqual([]);
  await live(given);
  const next = await send(`GET ${nextOf(first)}`, { headers: given.auditor });
  expect(next.body[0].type).toBe("gatehouse.customer.registered");
});

test("200: with only event.read the events have no values, logins or names", async () => {
  const given = await world();
  await given.lock("x");
  const read = (headers: Record<string, string>) => send("GET /v1/events", { headers });
  const full = await read(given.auditor);
  expect(full.text).toContain("left the company");
  const thin = await read(await given.readerWith(["portal.configurations.mgmt"]));
  expect(thin.status).toBe(200);
  expect(thin.body[0].data).toMatchObject({
    target: { type: "user", id: "x" },
    changes: { reason: {} },
  });
  expect(thin.text).not.toContain("left the company");
  expect(thin.text).not.toContain("Ada Example");
});

test("200: a client whose last event was deleted with its customer can follow Link", async () => {
  const given = await world();
  const { id, login } = await given.shop.customer();
  const tokens = await given.shop.enter(login);
  const page = await send("GET /v1/events", { headers: given.auditor });
  expect(page.body.at(-1).subject).toBe(`customer/${id}`);
  const headers = { ...given.shop.headers, ...bearer(tokens.accessToken) };
  expect((await send("DELETE /v1/customer/profile", { headers })).status).toBe(204);
  const next = await send(`GET ${nextOf(page)}`, { headers: given.auditor });
  expect(next.body.map((event: { type: string }) => event.type)).toEqual([
    "gatehouse.customer.deleted",
  ]);
});
