import { FastResponse } from "srvx/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "./serve";
import { get, type RawAnswer, rawRequest } from "./testing/raw";
import { tableOf } from "./testing/table";

let server: RunningServer;

const echo = async (request: Request) =>
  new FastResponse(
    JSON.stringify({ path: new URL(request.url).pathname, headers: [...request.headers] }),
    {
      headers: {
        "Content-Type": "application/json",
        "X-Service-Request-Id": request.headers.get("x-service-request-id") ?? "",
      },
    },
  );

beforeAll(async () => {
  const routes = await tableOf({
    "v1/echo": { GET: echo, POST: echo },
    "v1/things/[id]": { GET: echo },
  });
  server = await startServer({ port: 0, routes });
});
afterAll(() => server.close());

const ask = (text: string) => rawRequest(server.url, text);

/** Every rejection is the standard error body, with an id, as JSON. */
function expectError(answer: RawAnswer, status: number, code: string): { reason?: string } {
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["x-service-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  const body = JSON.parse(answer.body);
  expect(body).toMatchObject({ name: expect.any(String), code, detail: expect.any(String) });
  return body;
}

const echoed = (answer: RawAnswer): Map<string, string> => new Map(JSON.parse(answer.body).headers);

describe("400: a header sent twice with different values", () => {
  const singletons = [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "Origin",
    "X-Service-Tenant",
    "X-Service-API-Key",
    "X-Service-New",
  ];
  test.each(singletons)("%s", async (name) => {
    const answer = await ask(get("/v1/echo", `${name}: one`, `${name.toLowerCase()}: two`));
    expect(expectError(answer, 400, "request.duplicate-header").reason?.toLowerCase()).toBe(
      name.toLowerCase(),
    );
  });

  test.each(["evil.example", "localhost"])("Host, also with the same value: %s", async (host) => {
    expectError(await ask(get("/v1/echo", `Host: ${host}`)), 400, "request.duplicate-header");
  });

  test("200: the same value twice counts once", async () => {
    const answer = await ask(
      get(
        "/v1/echo",
        "X-Service-Tenant: demo",
        "x-service-tenant:  demo ",
        "Content-Type: a/b",
        "Content-Type: a/b",
      ),
    );
    expect(answer.status).toBe(200);
    expect(echoed(answer).get("x-service-tenant")).toBe("demo");
    expect(echoed(answer).get("content-type")).toBe("a/b");
  });

  test("200: lists are joined", async () => {
    const answer = await ask(
      get(
        "/v1/echo",
        "Accept: a/b",
        "Accept: c/d",
        'If-Match: "1"',
        'If-Match: "2"',
        "Cookie: a=1",
        "Cookie: b=2",
      ),
    );
    expect(echoed(answer).get("accept")).toBe("a/b, c/d");
    expect(echoed(answer).get("if-match")).toBe('"1", "2"');
  });
});

describe("200: the handler gets", () => {
  test("the caller's request id, or a new one for an unusable one", async () => {
    expect(
      (await ask(get("/v1/echo", "X-Service-Request-Id: my.id-1"))).headers["x-service-request-id"],
    ).toBe("my.id-1");
    const answer = await ask(get("/v1/echo", "X-Service-Request-Id: <script>"));
    expect(answer.headers["x-service-request-id"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(echoed(answer).get("x-service-request-id")).toBe(answer.headers["x-service-request-id"]);
  });

  test("the peer of the connection, not the one that the client claims", async () => {
    const answer = await ask(
      get(
        "/v1/echo",
        "X-Gatehouse-Peer: 1.2.3.4",
        "X-Gatehouse-Else: yes",
        "X-Forwarded-For: 5.6.7.8",
      ),
    );
    expect(echoed(answer).get("x-gatehouse-peer")).toBe("127.0.0.1");
    expect(echoed(answer).has("x-gatehouse-else")).toBe(false);
  });

  test("HEAD: the headers of GET, and no body", async () => {
    const answer = await rawRequest(
      server.url,
      "HEAD /v1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n",
      {
        hasBody: false,
      },
    );
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  });

  test("an offer of HTTP/2 is ignored, not an upgrade", async () => {
    const answer = await ask(
      get(
        "/v1/echo",
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
      ),
    );
    expect(answer.status).toBe(200);
  });
});
