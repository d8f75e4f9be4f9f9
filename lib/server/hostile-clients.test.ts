import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { signAnonymousToken } from "@/lib/access/consumer-tokens";
import { projectRoot } from "@/lib/database/data-dir";
import { trustedProxies } from "@/lib/protocol/trusted-proxies";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { limits as contractLimits, type Limits } from "./limits";
import { loadRoutes } from "./routes";
import { type Door, startDoor } from "./serve";

/** Linux answers on every address of 127.0.0.0/8, so that one machine can be several clients. */
const stranger = "127.0.0.2";
const neighbour = "127.0.0.3";

type Headers = Record<string, string>;

let key: Headers;
let session: Headers;
const doors: Door[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  key = (await makeApiKey(tenant, userId)).headers;
  session = (await makeSession(tenant, userId)).headers;
});

afterEach(() => void vi.unstubAllEnvs());
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(doors.map((door) => door.close()));
});

async function open(
  limits: Partial<Limits> = {},
  trusted?: string,
  host = "0.0.0.0",
): Promise<string> {
  const routes = await loadRoutes(
    join(projectRoot(), "app"),
    (file) => import(/* @vite-ignore */ file),
  );
  const pages = {
    // As Next does: a page that takes a body reads it first.
    request: (req: IncomingMessage, res: ServerResponse) => {
      req.on("end", () => res.end("a page")).resume();
    },
  };
  const door = await startDoor({
    port: 0,
    host,
    routes,
    limits,
    pages,
    trusted: trustedProxies(trusted),
  });
  doors.push(door);
  return door.url.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]");
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request on a connection of its own, from this source address. */
async function call(
  url: string,
  path: string,
  {
    from,
    headers = {},
    method = "GET",
    body,
  }: { from: string; headers?: Headers; method?: string; body?: string },
): Promise<Answer> {
  const sent = request(`${url}${path}`, {
    method,
    headers: { Connection: "close", ...headers },
    localAddress: from,
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Sends headers and one byte of a body, and then nothing. */
async function dribble(
  url: string,
  from: string,
  { path = "/v1/customer/login/refresh-token", forwarded = from } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  sockets.push(socket);
  socket.on("error", () => socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Forwarded-For: ${forwarded}\r\n`,
  );
  socket.write("X-Service-Tenant: a\r\nX-Service-Site: one\r\nContent-Length: 100\r\n\r\n{");
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

describe("1,100 connections of one address that dribble bodies", () => {
  test("200: readiness and another address's calls, from before the first to after the last", async () => {
    // The limit per minute would refuse most of them: this is about those that get through.
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
    // Those that were cut off see it once they read.
    for (const socket of sockets) socket.resume();
    await expect
      .poll(openSockets, { timeout: 10_000 })
      .toBeLessThanOrEqual(contractLimits.connectionsPerAddress);
  });

  test("429: the same address with a further request, with Retry-After", async () => {
    const url = await open({ requestsPerAddress: 5 });
    await Promise.all(Array.from({ length: 5 }, () => dribble(url, stranger)));
    const refused = async () =>
      (await call(url, "/v1/user/list?limit=20", { from: stranger, headers: key })).status;
    await expect.poll(refused).toBe(429);
    const answer = await call(url, "/v1/user/list?limit=20", { from: stranger, headers: key });
    expect(JSON.parse(answer.text)).toMatchObject({
      name: "RateLimitError",
      code: "rate-limit.exceeded",
      reason: "requests-per-address",
    });
    expect(answer.headers["retry-after"]).toBe("1");
    expect((await call(url, "/readyz", { from: stranger })).status).toBe(200);
  });

  test("400: a body that arrives more slowly than the least rate is given up long before its time is over", async () => {
    const url = await open({ bodyGraceMs: 100, minBodyRate: 1000, sweepMs: 20 });
    const socket = await dribble(url, neighbour);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(
      /^HTTP\/1.1 400 [\s\S]*request.body-timed-out[\s\S]*1000 bytes a second/,
    );
  });
});

describe("three IPv6 networks of /48 whose clients dribble bodies", () => {
  const proxy = "127.0.0.9";
  /** What a client behind the trusted proxy sends, a /64 of its own each. */
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

  test("503: the slowest is cut off, and the one that sends goes on", async () => {
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
    expect((await call(url, "/readyz", { from: stranger })).status).toBe(200);
    expect((await call(url, "/healthz", { from: stranger })).status).toBe(200);
  });

  test("with an anonymous token, which anybody gets", async () => {
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

  test("200: a session and an API key that were used before, in the same network", async () => {
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

test("behind a trusted proxy of IPv6 clients count by their /64, and others are not believed", async () => {
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
