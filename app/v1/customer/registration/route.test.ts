import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { customers, idempotentAnswers } from "@/lib/database/schema/schema";
import { bearer, openShop, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});

async function register(body: unknown, more: Record<string, string> = {}) {
  const headers = { ...shop.headers, ...bearer(await shop.anonymous()), ...more };
  return send("POST /v1/customer/registration", { headers, body });
}

describe("201", () => {
  test("the response is the profile, Location refers to it, and the password signs in", async () => {
    const body = {
      login: " Ann@Example.com ",
      password: "ann's own secret",
      emailAddress: "ann@example.com",
      name: { first: "Ann" },
      birthDate: "1990-12-31",
    };
    const answer = await register(body);
    expect([answer.status, answer.headers.get("location")]).toEqual([201, "/v1/customer/profile"]);
    expect(answer.body).toMatchObject({
      login: "Ann@Example.com",
      siteIds: ["one"],
      name: { first: "Ann" },
      birthDate: "1990-12-31",
      emailAddresses: {
        addresses: [{ address: "ann@example.com" }],
        default: { address: "ann@example.com" },
      },
    });
    expect(answer.body.id).toMatch(/^cust_/);
    const signedIn = await shop.login("ann@example.com", { password: body.password });
    expect((await shop.profile(signedIn.body.accessToken)).body).toEqual(answer.body);
  });

  test("the same Idempotency-Key gives the same customer, and no password is stored for it", async () => {
    const headers = {
      ...shop.headers,
      ...bearer(await shop.anonymous()),
      "Idempotency-Key": "once",
    };
    const body = { login: "once", password: "the only secret" };
    const [first, second] = [
      await send("POST /v1/customer/registration", { headers, body }),
      await send("POST /v1/customer/registration", { headers, body }),
    ];
    expect([first.status, second.status, second.headers.get("idempotency-replayed")]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(second.body).toEqual(first.body);
  });

  test("stored replays are deleted with the account", async () => {
    const headers = { "Idempotency-Key": "gone" };
    const made = await register(
      { login: "gone@example.com", password: "the only secret" },
      headers,
    );
    const kept = async () => {
      const rows = await db()
        .select()
        .from(idempotentAnswers)
        .where(eq(idempotentAnswers.tenantId, shop.tenant));
      return rows.filter(({ body }) => body?.includes("gone@example.com")).length;
    };
    expect([made.status, await kept()]).toEqual([201, 1]);
    const { accessToken } = (await shop.login("gone@example.com", { password: "the only secret" }))
      .body;
    await send("DELETE /v1/customer/profile", {
      headers: { ...shop.headers, ...bearer(accessToken) },
    });
    expect(await kept()).toBe(0);
  });
});

describe("400", () => {
  test.each([
    ["a short password", { login: "b", password: "short77" }, "/password", "password.unsuitable"],
    [
      "a common password",
      { login: "b", password: "password1" },
      "/password",
      "password.unsuitable",
    ],
    [
      "a long password",
      { login: "b", password: "ab3d".repeat(33) },
      "/password",
      "password.unsuitable",
    ],
    ["no login", { password: "a fine secret" }, "/login", "request.validation-failed"],
    [
      "a role",
      { login: "b", password: "a fine secret", siteIds: ["two"] },
      "/siteIds",
      "request.validation-failed",
    ],
    [
      "a day that does not exist",
      { login: "b", password: "a fine secret", birthDate: "2001-02-30" },
      "/birthDate",
      "request.validation-failed",
    ],
  ])("%s", async (_, body, reason, code) => {
    const answer = await register(body);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([400, code, reason]);
  });
});

test("401: without an anonymous token", async () => {
  const answer = await send("POST /v1/customer/registration", {
    headers: shop.headers,
    body: { login: "c", password: "a fine secret" },
  });
  expect(answer.status).toBe(401);
});

test("409: a login is unique in the tenant, in any case and at any site; 10 concurrent requests create one customer", async () => {
  const registerDora = async (login: string): ReturnType<typeof register> => {
    const answer = await register({ login, password: "a fine secret" });
    // Under load the response may be a 503 for too many password hashes, which decides nothing.
    return answer.status === 503 ? registerDora(login) : answer;
  };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => registerDora(n % 2 ? "Dora" : "DORA")),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: "customer.login-taken",
    reason: "/login",
  });
  const rows = await db()
    .select({ login: customers.login })
    .from(customers)
    .where(eq(customers.tenantId, shop.tenant));
  expect(rows.filter((row) => row.login.toLowerCase() === "dora")).toHaveLength(1);
  const two = await openShop(send, { tenant: shop.tenant, site: "two" });
  const elsewhere = await send("POST /v1/customer/registration", {
    headers: { ...two.headers, ...bearer(await two.anonymous()) },
    body: { login: "dora", password: "a fine secret" },
  });
  expect(elsewhere.status).toBe(409);
});

test("429: the 11th registration from an address within a minute", async () => {
  process.env.RATE_LIMITS = "on";
  try {
    const headers = { ...shop.headers, ...bearer(await shop.anonymous()) };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await send("POST /v1/customer/registration", { headers, body: {} })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  } finally {
    process.env.RATE_LIMITS = "off";
  }
});

test("403: where the tenant's policy forbids registration; existing customers still sign in", async () => {
  const closed = await openShop(send);
  const attempt = async (login: string) =>
    send("POST /v1/customer/registration", {
      headers: { ...closed.headers, ...bearer(await closed.anonymous()) },
      body: { login, password: "a longer secret" },
    });
  const first = await attempt("first");
  const { userId } = await makeUser(closed.tenant, { roleIds: ["tenant.admin"] });
  const { headers } = await makeSession(closed.tenant, userId);
  const policy = await send("PUT /v1/tenant/security-policy", {
    headers,
    body: { customerRegistration: false },
  });
  expect(policy.body.customerRegistration).toBe(false);
  const second = await attempt("second");
  expect([first.status, second.status, second.body.code, second.body.reason]).toEqual([
    201,
    403,
    "customer.registration-closed",
    "tenant.manage",
  ]);
  const unread = {
    ...closed.headers,
    ...bearer(await closed.anonymous()),
    Accept: "text/html",
    "Content-Type": "text/plain",
  };
  const unfit = await send("POST /v1/customer/registration", { headers: unread, body: {} });
  expect([unfit.status, unfit.body.code]).toEqual([403, "customer.registration-closed"]);
  expect((await closed.login("first", { password: "a longer secret" })).status).toBe(200);
  await send("PUT /v1/tenant/security-policy", { headers, body: {} });
  expect((await attempt("second")).status).toBe(201);
});
