import { and, eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, customerFamilies, customers } from "@/lib/database/schema/schema";
import { bearer, openShop, type Pair, type Shop } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let shop: Shop;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});
afterEach(() => {
  for (const name of ["REFRESH_GRACE", "REFRESH_IDLE", "REFRESH_ABSOLUTE", "ACCESS_TOKEN_TTL"])
    delete process.env[name];
});

/** Advances this process's clock until the test ends. */
function advance(milliseconds: number): void {
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function signIn(): Promise<Pair & { id: string }> {
  const { login, id } = await shop.customer();
  return { ...(await shop.enter(login)), id };
}

async function rotate(refreshToken: string): Promise<Pair> {
  const answer = await shop.refresh(refreshToken);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe("200", () => {
  test("the response has only the two tokens, the refresh token is new, and no Authorization is required", async () => {
    const { refreshToken } = await signIn();
    const answer = await shop.refresh(refreshToken);
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([
      200,
      ["accessToken", "refreshToken"],
    ]);
    expect(answer.body.refreshToken).not.toBe(refreshToken);
    expect((await shop.profile(answer.body.accessToken)).status).toBe(200);
  });

  test("50 parallel refreshes get one refresh token and 50 valid access tokens, and the family stays valid", async () => {
    const { refreshToken } = await signIn();
    const pairs = await Promise.all(Array.from({ length: 50 }, () => rotate(refreshToken)));
    expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(1);
    expect(new Set(pairs.map((pair) => pair.accessToken)).size).toBe(50);
    const statuses = await Promise.all(
      pairs.map(async (pair) => (await shop.profile(pair.accessToken)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await rotate(pairs[0]?.refreshToken ?? "");
  });

  test("a retry within the grace period of its own rotation gets the current token, though that was refreshed since", async () => {
    const first = (await signIn()).refreshToken;
    const second = (await rotate(first)).refreshToken;
    const third = (await rotate(second)).refreshToken;
    expect((await rotate(first)).refreshToken).toBe(third);
    expect((await rotate(second)).refreshToken).toBe(third);
  });

  test("a retry within the grace period does not extend the idle time", async () => {
    const { refreshToken, id } = await signIn();
    await rotate(refreshToken);
    const idleEnd = async () =>
      (
        await db()
          .select()
          .from(customerFamilies)
          .where(
            and(eq(customerFamilies.tenantId, shop.tenant), eq(customerFamilies.customerId, id)),
          )
      )[0]?.idleExpiresAt;
    const before = await idleEnd();
    advance(20);
    await rotate(refreshToken);
    expect(await idleEnd()).toEqual(before);
  });
});

describe("401", () => {
  test("a token reused after its grace period ends the family, newest tokens included, and is audited", async () => {
    const { refreshToken: first, id } = await signIn();
    const second = await rotate(first);
    advance(10_050);
    const third = await rotate(second.refreshToken);
    expect((await shop.profile(third.accessToken)).status).toBe(200);
    const replay = await shop.refresh(first);
    expect([replay.status, replay.body.code]).toEqual([401, "auth.refresh-token-reused"]);
    expect((await shop.profile(third.accessToken)).status).toBe(401);
    const newest = await shop.refresh(third.refreshToken);
    expect([newest.status, newest.body.code]).toEqual([401, "auth.credentials-invalid"]);
    const trail = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, shop.tenant));
    const entry = trail.find((one) => one.action === "customer.family-revoked");
    expect(entry).toMatchObject({
      actor: { type: "customer", id },
      target: { type: "customer", id },
      result: "failure",
    });
  });

  test("a stolen token that is replayed concurrently ends the family once", async () => {
    process.env.REFRESH_GRACE = "PT0S";
    const { refreshToken, id } = await signIn();
    await rotate(refreshToken);
    const replays = await Promise.all(Array.from({ length: 8 }, () => shop.refresh(refreshToken)));
    expect(replays.every(({ status }) => status === 401)).toBe(true);
    const trail = await db()
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.tenantId, shop.tenant));
    expect(
      trail.filter((one) => one.action === "customer.family-revoked" && one.actor.id === id),
    ).toHaveLength(1);
  });

  test("a forged proof of a real family is rejected and ends nothing", async () => {
    const { refreshToken } = await signIn();
    const [family = "", , proof = ""] = refreshToken.split(".");
    const flipped = (proof[0] === "A" ? "B" : "A") + proof.slice(1);
    for (const forged of [
      `${family}.0.${flipped}`,
      `${family}.1.${proof}`,
      `${family}.00.${proof}`,
      family,
      "svr_",
      `${refreshToken} `,
    ]) {
      const answer = await shop.refresh(forged);
      expect([answer.status, answer.body.code], forged).toEqual([401, "auth.credentials-invalid"]);
    }
    await rotate(refreshToken);
  });

  test("a token of another kind is not accepted as a refresh token", async () => {
    const { accessToken } = await rotate((await signIn()).refreshToken);
    for (const other of [accessToken, await shop.anonymous(), "x".repeat(2000)]) {
      const answer = await shop.refresh(other);
      expect([answer.status, answer.body.code]).toEqual([401, "auth.credentials-invalid"]);
    }
  });

  test("another tenant does not recognise the token, another site must not use it", async () => {
    const { refreshToken } = await signIn();
    expect((await (await openShop(send)).refresh(refreshToken)).body.code).toBe(
      "auth.credentials-invalid",
    );
    const two = await openShop(send, { tenant: shop.tenant, site: "two" });
    const answer = await two.refresh(refreshToken);
    expect([answer.status, answer.body.code]).toEqual([401, "auth.token-wrong-site"]);
    await rotate(refreshToken);
  });

  test("after signing out both tokens are invalid, and the other sign-in is valid", async () => {
    const { login } = await shop.customer();
    const [one, two] = [await shop.enter(login), await shop.enter(login)];
    const out = await send("POST /v1/customer/logout", {
      headers: { ...shop.headers, ...bearer(one.accessToken) },
    });
    expect([out.status, out.text]).toEqual([204, ""]);
    expect((await shop.profile(one.accessToken)).status).toBe(401);
    expect((await shop.refresh(one.refreshToken)).status).toBe(401);
    expect((await shop.profile(two.accessToken)).status).toBe(200);
    const body = { refreshToken: two.refreshToken };
    const third = await shop.enter(login);
    await send("POST /v1/customer/logout", {
      headers: { ...shop.headers, ...bearer(third.accessToken) },
      body,
    });
    expect((await shop.refresh(two.refreshToken)).status).toBe(401);
  });

  test("signing out with another customer's refresh token does not end that sign-in", async () => {
    const [mine, theirs] = [await signIn(), await signIn()];
    const body = { refreshToken: theirs.refreshToken };
    await send("POST /v1/customer/logout", {
      headers: { ...shop.headers, ...bearer(mine.accessToken) },
      body,
    });
    await rotate(theirs.refreshToken);
  });
});

describe("403", () => {
  test.each(["REFRESH_IDLE", "REFRESH_ABSOLUTE"])("past its end: %s", async (name) => {
    process.env[name] = "PT30S";
    const { refreshToken } = await signIn();
    advance(30_050);
    const answer = await shop.refresh(refreshToken);
    expect([answer.status, answer.body.code]).toEqual([403, "auth.credentials-expired"]);
  });

  test("a locked customer gets no new token, and an unlocked one can refresh again", async () => {
    const { refreshToken, id } = await signIn();
    const self = and(eq(customers.tenantId, shop.tenant), eq(customers.customerId, id));
    await db().update(customers).set({ lockedAt: new Date() }).where(self);
    const answer = await shop.refresh(refreshToken);
    expect([answer.status, answer.body.code]).toEqual([403, "customer.locked"]);
    await db().update(customers).set({ lockedAt: null }).where(self);
    await rotate(refreshToken);
  });

  test("the error for an expired access token says so, and a refresh helps", async () => {
    process.env.ACCESS_TOKEN_TTL = "PT0S";
    const { accessToken, refreshToken } = await signIn();
    const answer = await shop.profile(accessToken);
    expect([answer.status, answer.body.code]).toEqual([403, "auth.credentials-expired"]);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    delete process.env.ACCESS_TOKEN_TTL;
    expect((await shop.profile((await rotate(refreshToken)).accessToken)).status).toBe(200);
  });
});

test("400 is checked before the token", async () => {
  const operation = "POST /v1/customer/login/refresh-token";
  for (const body of [{}, { refreshToken: 1 }, { refreshToken: "x", more: 1 }])
    expect((await send(operation, { headers: shop.headers, body })).status).toBe(400);
  expect((await send(operation, { headers: shop.headers, raw: "{}" })).status).toBe(415);
});
