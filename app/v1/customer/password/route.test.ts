import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  bearer,
  openShop,
  type Pair,
  password,
  type Shop,
} from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { stopClock } from "@/lib/setup/testing/clock";

const send = testServer();
let shop: Shop;
let login: string;
let pair: Pair;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  shop = await openShop(send);
});
beforeEach(async () => {
  ({ login } = await shop.customer());
  pair = await shop.enter(login);
});

describe("POST /v1/customer/password", () => {
  const change = (body: unknown, token = pair.accessToken) =>
    send("POST /v1/customer/password", { headers: { ...shop.headers, ...bearer(token) }, body });

  test("204: the other sign-ins end at once, this one stays, and only the new password works", async () => {
    const other = await shop.enter(login);
    expect((await change({ current: password, password: "quite another secret" })).status).toBe(
      204,
    );
    expect((await shop.profile(other.accessToken)).status).toBe(401);
    expect((await shop.refresh(other.refreshToken)).status).toBe(401);
    expect((await shop.profile(pair.accessToken)).status).toBe(200);
    expect((await shop.refresh(pair.refreshToken)).status).toBe(200);
    expect((await shop.login(login)).status).toBe(401);
    expect((await shop.login(login, { password: "quite another secret" })).status).toBe(200);
  });

  test("400: a wrong current password, and an invalid new one", async () => {
    expect(
      (await change({ current: "not the secret", password: "quite another secret" })).body.reason,
    ).toBe("/current");
    expect((await change({ current: password, password })).body.code).toBe("password.unsuitable");
    expect((await change({ current: password, password: "short" })).body.code).toBe(
      "password.unsuitable",
    );
  });

  test("429: the holder of a token cannot guess the password either", async () => {
    stopClock();
    const guess = { current: "not the secret", password: "quite another secret" };
    const codes: string[] = [];
    while (!codes.includes("auth.too-many-attempts") && codes.length < 50)
      codes.push((await change(guess)).body.code);
    expect(codes.at(-1)).toBe("auth.too-many-attempts");
    expect((await change({ ...guess, current: password })).status).toBe(429);
  });
});
