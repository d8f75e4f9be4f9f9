import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, customerPasswordTokens } from "@/lib/database/schema/schema";
import { fullProfile } from "@/lib/features/customers/testing/full-profile";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;
let care: Record<string, string>;
let login: string;
let id: string;
let pair: Pair;

async function staff(roleIds: string[], sites: Record<string, string[]> = {}, site = "one") {
  const { userId } = await makeUser(shop.tenant, { roleIds, sites });
  const { headers } = await makeSession(shop.tenant, userId);
  return { userId, headers: { ...headers, "X-Service-Site": site } };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
  care = (await staff(["portal.customers.mgmt"])).headers;
});
beforeEach(async () => {
  ({ login, id } = await shop.customer());
  pair = await shop.enter(login);
  await send("PATCH /v1/customer/profile", {
    headers: { ...shop.headers, ...bearer(pair.accessToken) },
    body: fullProfile,
  });
});

const at = (verb: string, body?: unknown, headers = care) =>
  send(`POST /v1/customers/${id}/${verb}`, { headers, ...(body === undefined ? {} : { body }) });
const show = (headers = care) => send(`GET /v1/customers/${id}`, { headers });

async function trailOf(action: string) {
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, shop.tenant))
    .orderBy(auditEvents.seq);
  return rows
    .filter(
      (row) => row.action === action && (row.target.id === id || action === "customer.searched"),
    )
    .sort((a, b) => a.seq - b.seq);
}

/** Every personal field of the full profile. */
const personal = [
  "Ann",
  "Émile",
  "Domplatz",
  "1992",
  "ann@example.com",
  "4242",
  "tok_1Abc",
  "50667",
];

describe("200", () => {
  test("list and details show no personal data, only whether there is any", async () => {
    const list = await send("GET /v1/customers", { headers: care });
    const detail = await show();
    expect([list.status, detail.status]).toEqual([200, 200]);
    expect(list.body[0].id).toBe(id);
    // A random id may contain the digits of the card.
    for (const { text } of [list, detail])
      for (const secret of [login, ...personal])
        expect(text.replaceAll(/"[a-z]+_\w{26}"/g, "")).not.toContain(secret);
    expect(detail.body).toMatchObject({
      id,
      name: "A••• É•••",
      emailAddress: "a•••@e•••.com",
      lock: false,
      siteIds: ["one"],
      gender: "•••",
    });
    expect(detail.body.counts).toEqual({
      addresses: 1,
      emailAddresses: 1,
      creditCards: 1,
      subscriptions: 3,
    });
    expect(detail.body.sessions).toHaveLength(1);
  });

  test("a lock rejects tokens, login and refresh at once; after unlocking the same tokens are accepted again", async () => {
    const locked = await at("lock", { reason: "chargebacks" });
    expect(locked.body).toMatchObject({ lock: true, lockReason: "chargebacks", lockedUntil: null });
    for (const answer of [
      await shop.profile(pair.accessToken),
      await shop.login(login),
      await shop.refresh(pair.refreshToken),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "customer.locked"]);
    expect((await at("unlock")).body).toMatchObject({ lock: false, lockReason: null });
    expect((await shop.profile(pair.accessToken)).status).toBe(200);
    const [entry] = await trailOf("customer.locked");
    expect(entry?.changes).toEqual({
      lock: { before: false, after: true },
      reason: { after: "chargebacks" },
    });
    expect(await trailOf("customer.unlocked")).toHaveLength(1);
  });

  test("ending the sign-ins revokes all tokens, and the customer may sign in again", async () => {
    const other = await shop.enter(login);
    const answer = await at("end-sessions");
    expect([answer.status, answer.body.sessions]).toEqual([200, []]);
    for (const { accessToken, refreshToken } of [pair, other]) {
      expect((await shop.profile(accessToken)).status).toBe(401);
      expect((await shop.refresh(refreshToken)).status).toBe(401);
    }
    await shop.enter(login);
    expect((await trailOf("customer.sessions-ended"))[0]?.changes.families?.before).toHaveLength(2);
  });

  test("a reveal returns the requested fields, and the audit trail names them and the reason, never values", async () => {
    const answer = await at("reveal", {
      fields: ["name", "creditCards", "login"],
      reason: "asked for by phone",
    });
    const { token: _, ...card } = fullProfile.creditCards.cards[0] ?? { token: "" };
    expect(answer.body).toEqual({
      login,
      name: fullProfile.name,
      creditCards: { cards: [card], default: card },
    });
    const [entry] = await trailOf("customer.revealed");
    expect(entry?.changes).toEqual({
      fields: { after: ["name", "creditCards", "login"] },
      reason: { after: "asked for by phone" },
    });
  });

  test("a password token sets a new password once and ends every sign-in; only its hash is stored", async () => {
    const made = await at("password-token");
    expect(made.status).toBe(201);
    const { token } = made.body;
    const rows = await db()
      .select()
      .from(customerPasswordTokens)
      .where(eq(customerPasswordTokens.tenantId, shop.tenant));
    expect(rows.map((row) => row.tokenHash.toString("latin1")).join()).not.toContain(token);
    const anonymous = bearer(await shop.anonymous());
    const confirm = (body: unknown) =>
      send("POST /v1/customer/password-resets/confirm", {
        headers: { ...shop.headers, ...anonymous },
        body,
      });
    expect((await confirm({ token, password: "short" })).status).toBe(400);
    const results = await Promise.all([
      confirm({ token, password: "the new secret" }),
      confirm({ token, password: "the new secret" }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect((await shop.profile(pair.accessToken)).status).toBe(401);
    expect((await shop.refresh(pair.refreshToken)).status).toBe(401);
    expect((await shop.login(login)).status).toBe(401);
    expect((await shop.login(login, { password: "the new secret" })).status).toBe(200);
  });
});

test("400: a lock needs a reason, its end must be in the future, a reveal needs fields and a reason", async () => {
  const answers = [
    await at("lock", {}),
    await at("lock", { reason: "x", until: "2020-01-01T00:00:00Z" }),
    await at("reveal", { fields: [], reason: "x" }),
    await at("reveal", { fields: ["password"], reason: "x" }),
  ];
  expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
    [400, "/reason"],
    [400, "/until"],
    [400, "/fields"],
    [400, "/fields/0"],
  ]);
  const missing = await send("GET /v1/customers", { headers: { ...care, "X-Service-Site": "" } });
  expect([missing.status, missing.body.reason]).toEqual([400, "X-Service-Site"]);
});

test("401 for a customer's token; 403 for a user's API key that would change or reveal something", async () => {
  expect((await show({ ...shop.headers, ...bearer(pair.accessToken) })).status).toBe(401);
  const { userId } = await makeUser(shop.tenant, { roleIds: ["portal.customers.mgmt"] });
  const { headers } = await makeApiKey(shop.tenant, userId);
  for (const verb of ["lock", "unlock", "end-sessions", "reveal"])
    expect(
      (await at(verb, { reason: "x", fields: ["name"] }, { ...headers, "X-Service-Site": "one" }))
        .body.code,
      verb,
    ).toBe("auth.api-key-of-person");
  expect((await show({ ...headers, "X-Service-Site": "one" })).status).toBe(200);
});

describe("403", () => {
  test("without the permission, which the error names", async () => {
    const { headers } = await staff(["portal.users.mgmt"]);
    expect((await show(headers)).body).toMatchObject({
      code: "auth.permission-missing",
      reason: "customer.read",
    });
    expect((await at("reveal", { fields: ["name"], reason: "x" }, headers)).body.reason).toBe(
      "customer.manage",
    );
  });

  test("a role at one site gives access only to its customers", async () => {
    const { headers } = await staff([], { two: ["portal.customers.mgmt"] }, "two");
    expect((await show({ ...headers, "X-Service-Site": "one" })).status).toBe(403);
    expect((await show(headers)).status).toBe(404);
    const shared = await shop.customer(["one", "two"]);
    expect((await send(`GET /v1/customers/${shared.id}`, { headers })).body.siteIds).toEqual([
      "one",
      "two",
    ]);
    expect(
      (await send("GET /v1/customers", { headers })).body.map((one: { id: string }) => one.id),
    ).toEqual([shared.id]);
  });
});

test("404: another tenant's customer, for every method", async () => {
  const other = await openShop(send);
  const theirs = await other.customer();
  const { accessToken } = await other.enter(theirs.login);
  id = theirs.id;
  const body = { reason: "x", fields: ["name"] };
  const answers = [
    await show(),
    await at("lock", { reason: "x" }),
    await at("unlock"),
    await at("end-sessions"),
    await at("reveal", { ...body }),
    await at("password-token"),
  ];
  for (const answer of answers)
    expect([answer.status, answer.body.code]).toEqual([404, "customer.not-found"]);
  expect((await other.profile(accessToken)).status).toBe(200);
});
