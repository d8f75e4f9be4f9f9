import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { signAnonymousToken } from "@/lib/access/consumer-tokens";
import {
  call,
  dribble,
  type Headers,
  makeCredentials,
  neighbour,
  open,
  stranger,
} from "./testing/addressed-clients";

let key: Headers;
let session: Headers;

beforeAll(async () => {
  ({ key, session } = await makeCredentials());
});
afterEach(() => void vi.unstubAllEnvs());

describe("429: anonymous and failed requests of one address", () => {
  const few = { anonymousPerMinute: 5 };
  const wrong = { "X-Service-Tenant": "nobody", "X-Service-Session-Id": `svs_${"x".repeat(43)}` };

  test.each<[string, string, Headers]>([
    ["with a wrong session", "/v1/user/session", wrong],
    ["for a page", "/sign-in", {}],
    ["to sign in to the portal", "/api/auth/csrf", {}],
    ["for a public document", "/openapi.json", {}],
    ["for an unknown path", "/v1/nothing", {}],
  ])("%s", async (_, path, headers) => {
    const url = await open(few);
    for (let n = 0; n < 5; n += 1)
      expect((await call(url, path, { from: stranger, headers })).status).not.toBe(429);
    const answer = await call(url, path, { from: stranger, headers });
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: "rate-limit.exceeded",
      reason: "anonymous",
    });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await call(url, path, { from: neighbour, headers })).status).not.toBe(429);
    // 503 if the store responds late on a busy machine.
    expect([200, 503]).toContain((await call(url, "/readyz", { from: stranger })).status);
    expect((await call(url, "/healthz", { from: stranger })).status).toBe(200);
  });

  test("with an anonymous token, which anybody can get", async () => {
    const url = await open(few);
    const token = await signAnonymousToken(
      { tenantId: "any", siteId: "one", anonymousId: "a" },
      60,
    );
    const headers = { "X-Service-Tenant": "any", Authorization: `Bearer ${token}` };
    for (let n = 0; n < 6; n += 1) await call(url, "/v1/nothing", { from: stranger, headers });
    expect((await call(url, "/v1/nothing", { from: stranger, headers })).status).toBe(429);
    expect((await call(url, "/sign-in", { from: stranger, headers })).status).toBe(429);
  });

  test("a person gets a short page", async () => {
    const url = await open(few);
    for (let n = 0; n < 5; n += 1) await call(url, "/sign-in", { from: stranger });
    const answer = await call(url, "/sign-in", {
      from: stranger,
      headers: { Accept: "text/html" },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.text).toContain("Too many requests");
  });

  test("200: a session and an API key that this process already knows, in the same network", async () => {
    const url = await open(few);
    for (const headers of [session, key])
      expect((await call(url, "/v1/user/profile", { from: stranger, headers })).status).toBe(200);
    for (let n = 0; n < 6; n += 1)
      await call(url, "/v1/user/session", { from: stranger, headers: wrong });
    expect((await call(url, "/v1/user/session", { from: stranger, headers: wrong })).status).toBe(
      429,
    );
    for (const headers of [session, key])
      expect((await call(url, "/v1/user/profile", { from: stranger, headers })).status).toBe(200);
  });

  test("200: requests with a valid credential are not counted", async () => {
    const url = await open(few);
    for (let n = 0; n < 8; n += 1)
      expect((await call(url, "/v1/user/profile", { from: stranger, headers: key })).status).toBe(
        200,
      );
    expect((await call(url, "/openapi.json", { from: stranger })).status).toBe(200);
  });

  test("200: load tests switch the count off", async () => {
    vi.stubEnv("RATE_LIMITS", "off");
    const url = await open(few);
    for (let n = 0; n < 8; n += 1)
      expect((await call(url, "/openapi.json", { from: stranger })).status).toBe(200);
  });
});

test("behind a trusted proxy each client counts by its own address, and the proxy's connections are not limited", async () => {
  const url = await open({ anonymousPerMinute: 3, connectionsPerAddress: 2 }, `${stranger}/32`);
  await Promise.all([dribble(url, stranger), dribble(url, stranger), dribble(url, stranger)]);
  const via = (client: string) =>
    call(url, "/openapi.json", { from: stranger, headers: { "X-Forwarded-For": client } });
  for (let n = 0; n < 3; n += 1) expect((await via("198.51.100.1")).status).toBe(200);
  expect((await via("198.51.100.1")).status).toBe(429);
  expect((await via("198.51.100.2")).status).toBe(200);
});

test("behind a trusted IPv6 proxy clients count by their /64, and untrusted proxies are ignored", async () => {
  const url = await open({ anonymousPerMinute: 3 }, "::1/128, fd00::/8", "::");
  const via = (client: string) =>
    call(url, "/openapi.json", { from: "::1", headers: { "X-Forwarded-For": client } });
  for (let n = 1; n <= 3; n += 1) expect((await via(`[2001:db8::${n}]:443`)).status).toBe(200);
  expect((await via("2001:db8::ffff")).status).toBe(429);
  expect((await via("2001:db8:0:1::1")).status).toBe(200);
  const direct = url.replace("[::1]", "127.0.0.1");
  const forged = (n: number) =>
    call(direct, "/openapi.json", {
      from: stranger,
      headers: { "X-Forwarded-For": `2001:db8:9::${n}` },
    });
  for (let n = 0; n < 3; n += 1) expect((await forged(n)).status).toBe(200);
  expect((await forged(4)).status).toBe(429);
});
