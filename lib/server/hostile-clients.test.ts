import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { limits as contractLimits } from "./limits";
import {
  call,
  dribble,
  type Headers,
  makeCredentials,
  neighbour,
  open,
  sockets,
  stranger,
} from "./testing/addressed-clients";

let key: Headers;

beforeAll(async () => {
  ({ key } = await makeCredentials());
});
afterEach(() => void vi.unstubAllEnvs());

describe("1,100 connections of one address that dribble bodies", () => {
  test("200: readiness and another address's calls, from before the first to after the last", async () => {
    // The limit per minute would reject most of them: this test is about the admitted ones.
    vi.stubEnv("RATE_LIMITS", "off");
    const url = await open();
    const list = () => call(url, "/v1/user/list?limit=20", { from: neighbour, headers: key });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      await Promise.all(Array.from({ length: 100 }, () => dribble(url, stranger)));
      statuses.push(
        (await list()).status,
        (await call(url, "/readyz", { from: neighbour })).status,
      );
    }
    expect(statuses).toEqual(Array(22).fill(200));
    const openSockets = () => sockets.filter((socket) => !socket.destroyed).length;
    // The closed ones detect it once they read.
    for (const socket of sockets) socket.resume();
    await expect
      .poll(openSockets, { timeout: 100_000 })
      .toBeLessThanOrEqual(contractLimits.connectionsPerAddress);
  });

  test("429: the same address with a further request, with Retry-After", async () => {
    const url = await open({ requestsPerAddress: 5 });
    await Promise.all(Array.from({ length: 5 }, () => dribble(url, stranger)));
    const rejected = async () =>
      (await call(url, "/v1/user/list?limit=20", { from: stranger, headers: key })).status;
    await expect.poll(rejected).toBe(429);
    const answer = await call(url, "/v1/user/list?limit=20", { from: stranger, headers: key });
    expect(JSON.parse(answer.text)).toMatchObject({
      name: "RateLimitError",
      code: "rate-limit.exceeded",
      reason: "requests-per-address",
    });
    expect(answer.headers["retry-after"]).toBe("1");
    expect((await call(url, "/readyz", { from: stranger })).status).toBe(200);
  });

  test("400: a body slower than the minimum rate is rejected long before its timeout", async () => {
    const url = await open({ bodyGraceMs: 100, minBodyRate: 1000, sweepMs: 20 });
    const socket = await dribble(url, neighbour);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(
      /^HTTP\/1.1 400 [\s\S]*request.body-timed-out[\s\S]*1000 bytes a second/,
    );
  });
});

describe("addresses that hold as many connections as each of them may", () => {
  /** Connected, and silent. */
  async function hold(url: string, from: string) {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    return socket;
  }

  test("200 for other addresses while one address holds all slots, and requests in progress go on", async () => {
    vi.stubEnv("RATE_LIMITS", "off");
    const url = await open({ connections: 60, connectionsPerAddress: 40 });
    const list = () => call(url, "/v1/user/list?limit=20", { from: neighbour, headers: key });
    const working = await dribble(url, stranger);
    const held: Socket[] = [];
    for (let n = 0; n < 30; n += 1)
      held.push(await hold(url, "127.0.0.21"), await hold(url, "127.0.0.22"));
    for (let n = 0; n < 5; n += 1) expect((await list()).status).toBe(200);
    for (const socket of held) socket.resume();
    await expect.poll(() => held.some(({ destroyed }) => destroyed)).toBe(true);
    expect(working.destroyed).toBe(false);
    expect(held.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(16);
  });
});

describe("three IPv6 networks of /48 whose clients dribble bodies", () => {
  const proxy = "127.0.0.9";
  /** The requests of clients of the trusted proxy, each from a separate /64. */
  const dribbleFrom = (url: string, path: string, network: number, n: number) =>
    dribble(url, proxy, {
      path,
      forwarded: `2001:db8:${network}:${n.toString(16)}::1`,
    });

  test.each([
    ["operations", "/v1/customer/login/refresh-token"],
    ["pages", "/api/auth/callback/credentials"],
  ])("200: readiness and another address's calls and bodies, %s", async (_, path) => {
    vi.stubEnv("RATE_LIMITS", "off");
    const limits = { inProgress: 40, arrivingBodies: 100, requestsPerAddress: 16 };
    const url = await open({ ...limits, minBodyRate: 1 }, `${proxy}/32`);
    const statuses: number[] = [];
    for (let n = 0; n < 64; n += 1) {
      await Promise.all([1, 2, 3].map((network) => dribbleFrom(url, path, network, n)));
      if (n % 16 !== 15) continue;
      const honest = { from: neighbour, headers: key };
      statuses.push(
        (await call(url, "/v1/user/list?limit=20", honest)).status,
        (await call(url, "/v1/nothing", { ...honest, method: "POST", body: "{}" })).status,
        (await call(url, "/sign-in", honest)).status,
        (await call(url, "/readyz", { from: neighbour })).status,
      );
    }
    expect(statuses).toEqual(Array(4).fill([200, 404, 200, 200]).flat());
  });

  test("503: the slowest is cut off, and the others continue", async () => {
    vi.stubEnv("RATE_LIMITS", "off");
    const url = await open({ arrivingBodies: 3 }, `${proxy}/32`);
    const path = "/v1/customer/login/refresh-token";
    const slow = await dribbleFrom(url, path, 1, 1);
    const sending = await dribbleFrom(url, path, 1, 2);
    const other = await dribbleFrom(url, path, 2, 1);
    const [first] = [once(slow, "data")];
    sending.write(" ".repeat(90));
    other.write(" ".repeat(40));
    await dribbleFrom(url, path, 3, 1);
    expect(String(await first)).toMatch(/^HTTP\/1.1 503 [\s\S]*the slowest/);
    expect([sending.destroyed, other.destroyed]).toEqual([false, false]);
  });
});
