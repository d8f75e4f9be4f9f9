import { beforeAll, describe, expect, test } from "vitest";
import { bearer, openShop, password, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** Names that look alike count as the same in every operation that takes one; searches and sign-ins use the same rule. */

const send = testServer();
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const roles = { roleIds: [], sites: {} };
let shop: Shop;
let headers: Record<string, string>;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  const tenant = await makeTenant({ siteIds: ["one"] });
  const { userId } = await makeUser(tenant, { login: "admin", roleIds: ["tenant.admin"] });
  headers = { ...(await makeSession(tenant, userId)).headers, "X-Service-Site": "one" };
  shop = await openShop(send, { tenant });
});

const person = (login: string) => ({ login, name: "Somebody", emailAddress: "a@b.example", roles });
const logins: [
  string,
  (login: string) => Promise<{ operation: string; body: object; more?: object }>,
][] = [
  [
    "an invitation",
    async (login) => ({ operation: "POST /v1/user/invitations", body: person(login) }),
  ],
  [
    "a service user",
    async (login) => ({
      operation: "POST /v1/user/service-users",
      body: { login, name: "Robot", roles },
    }),
  ],
  [
    "a customer of the staff",
    async (login) => ({ operation: "POST /v1/customers", body: { login } }),
  ],
  [
    "a registration",
    async (login) => ({
      operation: "POST /v1/customer/registration",
      body: { login, password },
      more: bearer(await shop.anonymous()),
    }),
  ],
];

describe.each(logins)("the login of %s", (_, requestWith) => {
  test.each(["adm\u200b", "adm\u2060", "adm\u00ad", "adm\ufe0f", "adm\u{e0041}", "\u200b\u200c"])(
    "is not %j",
    async (login) => {
      const { operation, body, more } = await requestWith(login);
      const from = more ? { ...shop.headers, ...more } : headers;
      const { status, body: error } = await send(operation, { headers: from, body });
      expect([status, error.reason]).toEqual([400, "/login"]);
    },
  );
});

test("200: a sign-in ignores invisible characters of the typed login", async () => {
  const { login } = await shop.customer();
  const answer = await shop.login(`\u200b${login.toUpperCase()}\u2060 `);
  expect(answer.status, answer.text).toBe(200);
});

test("409 for a second API key and site that look like the first", async () => {
  const key = (name: string) =>
    send("POST /v1/user/profile/api-keys", { headers, body: { name, validTo: tomorrow } });
  const site = (id: string, name: string) =>
    send("POST /v1/tenant/sites", { headers, body: { id, name } });
  expect((await key("Deploy")).status).toBe(200);
  expect((await key("Deploy\u200b")).status).toBe(409);
  expect((await key("\u200bdeploy")).status).toBe(409);
  expect((await site("two", "Shop")).status).toBe(201);
  expect((await site("three", "Sh\u00adop")).status).toBe(409);
});

test("409 for a login that is already invited explains how to create a new invitation", async () => {
  const invite = () =>
    send("POST /v1/user/invitations", { headers, body: person("guest@example.com") });
  const { body: invited } = await invite();
  const again = await invite();
  expect([again.status, again.body.code]).toEqual([409, "user.login-taken"]);
  expect(again.body.detail).toContain(`POST /v1/user/${invited.id}/password-reset`);
  const renewed = await send(`POST /v1/user/${invited.id}/password-reset`, { headers });
  expect(renewed.status, renewed.text).toBe(201);
});

test.each(["guest@example.com%20", "%20%C2%A0guest@example.com%0A", "GUEST%E2%80%83"])(
  "200: the search for %s finds the user",
  async (q) => {
    const { body } = await send(`GET /v1/user/list?q=${q}`, { headers });
    expect(body.map(({ login }: { login: string }) => login)).toEqual(["guest@example.com"]);
  },
);

test("200: a search for only white space finds nothing", async () => {
  const all = await send("GET /v1/user/list", { headers });
  const blank = await send("GET /v1/user/list?q=%20%C2%A0", { headers });
  expect(blank.body).toEqual(all.body);
  const customers = await send("GET /v1/customers?q=%20", { headers });
  expect(customers.body.length).toBeGreaterThan(0);
});

test("401 auth.link-invalid for an unknown password token: the bearer is valid", async () => {
  const answer = await send("POST /v1/customer/password-resets/confirm", {
    headers: { ...shop.headers, ...bearer(await shop.anonymous()) },
    body: { token: `svt_${"a".repeat(43)}`, password },
  });
  expect([answer.status, answer.body.code]).toEqual([401, "auth.link-invalid"]);
});

test("400 reports a byte order mark", async () => {
  const raw = `\ufeff${JSON.stringify(person("x"))}`;
  const answer = await send("POST /v1/user/invitations", {
    headers: { ...headers, "Content-Type": "application/json" },
    raw,
  });
  expect([answer.status, answer.body.code]).toEqual([400, "request.invalid-json"]);
  expect(answer.body.detail).toContain("byte order mark");
});
