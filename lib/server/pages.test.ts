import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { FastResponse } from "srvx/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { type RunningServer, type ServerOptions, startServer } from "./serve";
import { connectRaw, get, rawRequest } from "./testing/raw";
import { tableOf } from "./testing/table";

let server: RunningServer | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  return server?.close();
});

/** Responds to every page with the request that it got. */
function answerPage(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ url: req.url, headers: req.headers }));
}

/** Requests in progress, until the test ends them. */
const held: (() => void)[] = [];
const hold = () =>
  new Promise<Response>((resolve) => held.push(() => resolve(new FastResponse("done"))));

async function open(options: Partial<ServerOptions> = {}): Promise<string> {
  const routes = await tableOf({
    "v1/held": { GET: hold },
    "api/auth/[...nextauth]": { GET: hold },
  });
  server = await startServer({ port: 0, routes, pages: { request: answerPage }, ...options });
  return server.url;
}

describe("requests outside the interface are passed to the pages", () => {
  test.each(["/", "/sign-in", "/api/auth/session", "/v1x", "/_next/static/a.js"])(
    "%s",
    async (path) => {
      const answer = await rawRequest(await open(), get(path));
      expect(JSON.parse(answer.body).url).toBe(path);
    },
  );

  test.each([
    ["/docs/guides/api-keys", "Accept"],
    ["/docs/guides/api-keys?from=search", "Accept"],
    ["/docs", undefined],
  ])("%s depends on %s", async (path, vary) => {
    expect((await rawRequest(await open(), get(path))).headers.vary).toBe(vary);
  });

  test.each([
    ["/t/acme/metrics?zone=Foo%2FBar&from=garbage", "/t/acme/metrics?zone=UTC"],
    ["/t/acme/users?q=%00", "/t/acme/users"],
    ["/sign-in?tenant=%00&next=%2Ft%2Facme", "/sign-in?next=%2Ft%2Facme"],
  ])("307 from %s, with parameters that pages cannot read, to %s", async (path, to) => {
    const answer = await rawRequest(await open(), get(path));
    expect([answer.status, answer.headers.location]).toEqual([307, to]);
  });

  test.each([
    "/_next/static/a.js?q=%00",
    "/api/auth/session?q=%00",
    "/t/acme/users?q=a+b%20c&peek=",
  ])("as it is: %s", async (path) => {
    const answer = await rawRequest(await open(), get(path));
    expect(JSON.parse(answer.body).url).toBe(path);
  });

  test("with the same id and address as the interface", async () => {
    const answer = await rawRequest(
      await open(),
      get("/", "X-Gatehouse-Peer: 6.6.6.6", "X-Service-Request-Id: abc"),
    );
    expect(answer.headers["x-service-request-id"]).toBe("abc");
    expect(JSON.parse(answer.body).headers).toMatchObject({
      "x-gatehouse-peer": "127.0.0.1",
      "x-service-request-id": "abc",
    });
  });

  test("with a policy whose nonce is unique to the response, whatever the request's headers", async () => {
    const url = await open();
    const forged = get(
      "/",
      "Content-Security-Policy: script-src 'nonce-forged'",
      "X-Gatehouse-Nonce: forged",
    );
    const answers = await Promise.all([rawRequest(url, forged), rawRequest(url, forged)]);
    const nonces = answers.map(({ headers, body }) => {
      const response = JSON.parse(body).headers;
      expect(response["content-security-policy"]).toBe(headers["content-security-policy"]);
      const [scripts = ""] =
        /script-src [^;]*/.exec(headers["content-security-policy"] ?? "") ?? [];
      expect(scripts).toBe(`script-src 'self' 'nonce-${response["x-gatehouse-nonce"]}'`);
      return response["x-gatehouse-nonce"];
    });
    expect(new Set([...nonces, "forged"]).size).toBe(3);
  });

  test("without untrusted forwarding headers", async () => {
    const sent = [
      "X-Forwarded-For: 6.6.6.6",
      "X-Forwarded-Host: evil.example",
      "Forwarded: for=6.6.6.6",
    ];
    const untrusted = JSON.parse((await rawRequest(await open(), get("/", ...sent))).body).headers;
    expect(Object.keys(untrusted).filter((name) => name.includes("forwarded"))).toEqual([]);
    await server?.close();
    const trusted = JSON.parse(
      (await rawRequest(await open({ trusted: trustedProxies("127.0.0.1") }), get("/", ...sent)))
        .body,
    ).headers;
    expect(trusted).toMatchObject({
      "x-forwarded-host": "evil.example",
      "x-gatehouse-peer": "6.6.6.6",
    });
  });

  test("but never the interface's own paths: 404 in JSON", async () => {
    expect((await rawRequest(await open(), get("/v1/nope"))).status).toBe(404);
  });

  test.each([
    "/V1/user/list",
    "/v2/user/list",
    "/PIM/preview",
    "/.Well-Known/jwks.json",
    "/OpenAPI.json",
    "/api/v1/user/list",
    "/api",
  ])("nor paths that look like the interface: %s", async (path) => {
    const answer = await rawRequest(await open(), get(path));
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([404, "request.not-found"]);
  });

  test("a body without a length is cut off at the limit", async () => {
    const url = await open({
      limits: { body: 1000 },
      pages: { request: (req, res) => void req.on("end", () => res.end("read")).resume() },
    });
    const connection = connectRaw(url);
    connection.send(
      "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for (let i = 0; i < 3; i += 1) connection.send(`1f4\r\n${"x".repeat(500)}\r\n`);
    expect(await connection.closed()).toBe("");
  });
});

test("204 for a prefetch without room, 503 for a requested page", async () => {
  const url = await open({ pages: { request: () => undefined } });
  const others = Array.from({ length: 40 }, () => connectRaw(url));
  for (const other of others) other.send(get("/"));
  const [ahead, asked] = await Promise.all([
    rawRequest(url, get("/", "RSC: 1", "Next-Router-Prefetch: 1")),
    rawRequest(url, get("/", "RSC: 1")),
  ]);
  expect([ahead.status, ahead.body, asked.status]).toEqual([204, "", 503]);
  for (const other of others) other.end();
});

describe("a stop", () => {
  test("lets requests in flight finish, closes their connection and accepts no new ones", async () => {
    const url = await open();
    const idle = connectRaw(url);
    idle.send(get("/"));
    await idle.answer();
    const busy = connectRaw(url);
    busy.send(get("/v1/held"));
    await expect.poll(() => held.length).toBe(1);
    const closing = server?.close();
    const isListening = () => rawRequest(url, get("/")).then(Boolean, () => false);
    await expect.poll(isListening).toBe(false);
    for (const end of held.splice(0)) end();
    expect(await busy.answer()).toMatchObject({
      status: 200,
      headers: { connection: "close" },
      body: "done",
    });
    await Promise.all([closing, idle.closed(), busy.closed()]);
  });

  test("does not wait for connections that were upgraded", async () => {
    const upgrade = (_: IncomingMessage, socket: Duplex) =>
      void socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    const url = await open({ pages: { request: answerPage, upgrade } });
    const upgraded = connectRaw(url);
    upgraded.send(get("/_next/hmr", "Connection: Upgrade", "Upgrade: websocket"));
    expect((await upgraded.answer()).status).toBe(101);
    await Promise.all([server?.close(), upgraded.closed()]);
  });

  test("closes requests that have not finished after the shutdown time", async () => {
    let arrived = 0;
    const request = () => {
      arrived += 1;
    };
    const url = await open({ limits: { shutdownMs: 50 }, pages: { request } });
    const hanging = connectRaw(url);
    hanging.send(get("/"));
    await expect.poll(() => arrived).toBe(1);
    const startedAt = performance.now();
    expect(await server?.close()).toBe(false);
    expect(await hanging.closed()).toBe("");
    // The default shutdown time would be 20 s.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});
