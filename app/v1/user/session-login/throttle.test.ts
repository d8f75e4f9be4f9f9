import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { flushNetworks } from "@/lib/access/known-networks";
import { db } from "@/lib/database/open";
import { knownNetworks } from "@/lib/database/schema/schema";
import { openShop, password as shoppersPassword } from "@/lib/features/customers/testing/shop";
import { testServer } from "@/lib/http/testing/test-server";
import { perProcess, resetPerProcess } from "@/lib/protocol/per-process";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** The test acts as the proxy that reports the request's address. */
const send = testServer({ trusted: trustedProxies("127.0.0.1") });
const password = "a password of the owner";
let homes = 0;
let home: string;
let tenant: string;
let owner: string;

beforeEach(async () => {
  homes += 1;
  home = `203.0.${homes}.7`;
  tenant = await makeTenant();
  owner = (await makeUser(tenant, { password, roleIds: ["tenant.admin"] })).login;
});

const attempt = (address: string, given: string, login = owner) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant, "X-Forwarded-For": address },
    body: { login, tenant, password: given },
  });

/** Another network for each number, and for each test. */
const ipv4 = (n: number) => `${10 + homes}.${n >> 8}.${n & 255}.9`;
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status);
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** Clears this process's memory, as a restart would. */
function forgetInMemory(): void {
  resetPerProcess("known-networks");
}

describe("a network that signed in before", () => {
  test("200: the owner signs in 20 of 20 times while 1,000 other networks guess", async () => {
    expect((await attempt(home, password)).status).toBe(200);
    await flushNetworks();
    forgetInMemory();
    const statuses: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const guesses = Array.from({ length: 50 }, (_, n) => attempt(ipv4(round * 50 + n), "wrong"));
      statuses.push((await attempt(home, password)).status);
      expect(count(await Promise.all(guesses), 200)).toBe(0);
      statuses.push((await attempt(`203.0.${homes}.99`, password)).status);
    }
    expect(statuses).toEqual(Array(40).fill(200));
    // A sign-in of the owner clears the failures while no delay is active: strangers fail until they are delayed again.
    await Promise.all(Array.from({ length: 10 }, (_, n) => attempt(`198.52.${n}.1`, "wrong")));
    // One of these may arrive just when a stranger's next attempt is due.
    const startedAt = performance.now();
    const sent = Array.from({ length: 20 }, (_, n) => attempt(`198.51.${n}.1`, "wrong"));
    const refused = (await Promise.all(sent)).filter(({ status }) => status !== 401);
    const due = 1 + (performance.now() - startedAt) / 1000;
    expect(refused.length).toBeGreaterThanOrEqual(20 - due);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, "auth.too-many-attempts"]);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(10);
    }
  });

  test("429: it is still delayed by its own failures", async () => {
    expect((await attempt(home, password)).status).toBe(200);
    for (let n = 0; n < 6; n += 1) expect((await attempt(home, "wrong")).status).toBe(401);
    await passTime(-60);
    expect((await attempt(home, password)).status).toBe(429);
  });

  test("it is known only for that login, as hashes, and at most 20 of them", async () => {
    const other = (await makeUser(tenant, { password, roleIds: ["portal.default"] })).login;
    await attempt(home, password, other);
    for (let n = 0; n < 25; n += 1) expect((await attempt(ipv4(n), password)).status).toBe(200);
    await flushNetworks();
    const rows = await db().select().from(knownNetworks).where(eq(knownNetworks.tenantId, tenant));
    const logins = [...new Set(rows.map(({ loginHash }) => loginHash.toString("hex")))];
    const sizes = logins.map((hash) =>
      rows.filter((row) => row.loginHash.toString("hex") === hash),
    );
    expect(sizes.map((networks) => networks.length).sort((a, b) => a - b)).toEqual([1, 20]);
    forgetInMemory();
    for (let n = 100; n < 112; n += 1) await attempt(ipv4(n), "wrong");
    await passTime(-60);
    expect((await attempt(home, password)).status).toBe(429);
    expect((await attempt(ipv4(24), password)).status).toBe(200);
    expect((await attempt(ipv4(0), password)).status).toBe(429);
  });
});

/** Five, and those after each delay: the first delay is a second, each further one twice as long. */
const mostChecked = (elapsedMs: number) => Math.max(7, 5 + Math.log2(elapsedMs / 1000 + 1));

describe("concurrent guesses", () => {
  test.each([
    ["a login that exists", () => owner],
    ["one that does not", () => "nobody"],
  ])("401: of 90 from one address hardly more than 5 are checked, for %s", async (_, login) => {
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_unused, n) => attempt(home, `wrong ${n}`, login())),
    );
    const most = mostChecked(performance.now() - startedAt);
    expect(count(answers, 200)).toBe(0);
    expect(count(answers, 401)).toBeLessThanOrEqual(most);
  });

  test("401: of 200 from as many networks barely more than 5 are checked", async () => {
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => attempt(ipv4(n), `wrong ${n}`)),
    );
    const most = mostChecked(performance.now() - startedAt);
    expect(count(answers, 401)).toBeLessThanOrEqual(most);
  });

  test("200: all of 20 with the right password sign in", async () => {
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(home, password)));
    // Each waits at most two seconds for those before it: a slow machine may need more for so many passwords.
    const isSlow = performance.now() - startedAt > 2000;
    const others = answers.filter(({ status }) => status !== 200);
    expect(statusesOf(others)).toEqual(Array(isSlow ? others.length : 0).fill(429));
    expect(count(answers, 200)).toBeGreaterThan(5);
  });
});

describe("IPv6", () => {
  const inHost = (subnet: number) => `2001:db8:7:${subnet.toString(16)}::1`;

  test("429: a /56 is counted as well as each /64", async () => {
    // Across networks a login is delayed 10 s at most: a longer delay comes from the count of the /56.
    const statuses: number[] = [];
    let longest = 0;
    for (let n = 0; longest <= 10 && n < 400; n += 1) {
      const answer = await attempt(inHost(n % 256), "wrong");
      statuses.push(answer.status);
      longest = Number(answer.headers.get("retry-after") ?? 0);
      if (answer.status === 429 && longest > 0) await passTime(longest);
    }
    expect(longest).toBeGreaterThan(10);
    const elsewhere = await attempt("2001:db8:8::1", "wrong");
    expect(Number(elsewhere.headers.get("retry-after") ?? 0)).toBeLessThanOrEqual(10);
  });
});

/** Shortens the delays of this process by this time, or extends them where it is negative, so that they also apply on a slow machine. */
async function passTime(seconds: number): Promise<void> {
  const counters = perProcess("login-throttle", () => new Map<string, { waitUntil: number }>());
  for (const counter of counters().values()) counter.waitUntil -= seconds * 1000;
}

describe("customers", () => {
  test("200: a customer signs in from a known network while others guess", async () => {
    const shop = await openShop(send);
    const { login } = await shop.customer();
    const enter = async (address: string, secret: string) => {
      const headers = { ...shop.headers, "X-Forwarded-For": address };
      const token = (await send("POST /v1/customer/login/anonymous-token", { headers })).body;
      return send("POST /v1/customer/login/token", {
        headers: { ...headers, Authorization: `Bearer ${token.accessToken}` },
        body: { login, password: secret },
      });
    };
    expect((await enter(home, shoppersPassword)).status).toBe(200);
    for (let n = 0; n < 12; n += 1) await enter(ipv4(n), "not the secret");
    await passTime(-60);
    expect((await enter("198.51.100.1", shoppersPassword)).status).toBe(429);
    expect((await enter(home, shoppersPassword)).status).toBe(200);
  });
});
