import { FastResponse } from "srvx/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "./limits";
import { type RunningServer, startServer } from "./serve";
import { connectRaw, get, type RawAnswer, rawRequest } from "./testing/raw";
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

describe("400: an ambiguous target", () => {
  test.each([
    // A page's redirect would lead to the host of an absolute target.
    ...["http://evil.example/v1/echo", "HTTPS://localhost/v1/echo", "ftp://evil.example/v1/echo"],
    ...["*", "evil.example:443", "v1/echo", "http:/v1/echo", "http://a b/v1/echo"],
  ])("%s", async (target) => {
    expectError(
      await ask(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      400,
      "request.malformed",
    );
  });

  test.each([
    "/v1/%ff",
    "/v1/%zz",
    "/v1/%",
    "/sign-in/%00",
    "/v1/%c0%af",
    "/sign-in/%ff",
    "/v1/caf\xe9",
    "/v1/a#b",
  ])("%s", async (path) => {
    expectError(await ask(get(path)), 400, "request.malformed");
  });
});

test("400: another version of HTTP than 1", async () => {
  expectError(
    await ask("GET /v1/echo HTTP/2.0\r\nHost: localhost\r\n\r\n"),
    400,
    "request.malformed",
  );
});

describe("404: nothing is normalised", () => {
  const odd = [
    "/v1//echo",
    "//v1/echo",
    "/v1/./echo",
    "/v1/../v1/echo",
    "/v1/%2e%2e/echo",
    "/v1/things/a%2Fb",
    "/v1/things/a%5cb",
    "/v1\\echo",
  ];
  test.each([...odd, "/v1/echo/", "/%76%31/echo", "/V1/echo", "/v1/things/", "/v1/things/a/b"])(
    "%s",
    async (path) => {
      expectError(await ask(get(path)), 404, "request.not-found");
    },
  );

  test.each(["/v1", "/v1/nope", "/pim/nope", "/.well-known/nope", "/internal/nope"])(
    "JSON for a path without an operation: %s",
    async (path) => {
      expectError(await ask(get(path)), 404, "request.not-found");
    },
  );
});

describe("405: a method that the parser knows and no operation has", () => {
  test.each(["TRACE", "PROPFIND"])("%s names the resource's own methods", async (method) => {
    const answer = await ask(`${method} /v1/things/7 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expectError(answer, 405, "request.method-not-allowed");
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
  });

  test("TRACE of a page", async () => {
    const answer = await ask("TRACE /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expectError(answer, 405, "request.method-not-allowed");
    expect(answer.headers.allow).toContain("GET");
  });

  test("CONNECT: this is not a proxy", async () => {
    const answer = await ask("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n");
    expectError(answer, 405, "request.method-not-allowed");
    expect(answer.headers.connection).toBe("close");
  });

  test.each(["FOO", "get", "M-SEARCH~"])("%s, which the parser does not know", async (method) => {
    const answer = await ask(`${method} /v1/things/7 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expectError(answer, 405, "request.method-not-allowed");
    expect(answer.headers.allow).toContain("GET");
    expect(answer.headers.connection).toBe("close");
  });

  test("400 for one after a valid request", async () => {
    const connection = connectRaw(server.url);
    connection.send(`${get("/v1/echo")}FOO /v1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect((await connection.answer()).status).toBe(200);
    expectError(await connection.answer(), 400, "request.malformed");
  });

  test("404 comes first", async () => {
    expectError(
      await ask("PROPFIND /v1/nope HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      404,
      "request.not-found",
    );
  });
});

describe("417: an unsupported expectation", () => {
  test.each(["foo", "100-continue, foo", "200-ok"])("%s", async (value) => {
    expectError(await ask(get("/v1/echo", `Expect: ${value}`)), 417, "request.expectation-failed");
  });

  test("not for HTTP/1.0, which has no expectations", async () => {
    const answer = await ask(
      "POST /v1/echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    );
    expect(answer.status).toBe(200);
  });
});

describe("414 and 431: too long", () => {
  const long = (length: number) => get(`/v1/echo?${"q".repeat(length)}`);
  test.each([limits.target, 20_000, 100_000])("a target of %i bytes and more", async (length) => {
    expect(expectError(await ask(long(length)), 414, "request.target-too-long").reason).toBe(
      "8192",
    );
  });

  test.each([limits.headers, 40_000, 100_000])("headers of %i bytes and more", async (length) => {
    const answer = await ask(get("/v1/echo", `X-Long: ${"h".repeat(length)}`));
    expect(expectError(answer, 431, "request.headers-too-large").reason).toBe("16384");
  });

  test("200: just below both", async () => {
    expect((await ask(long(8000))).status).toBe(200);
    expect((await ask(get("/v1/echo", `X-Long: ${"h".repeat(16_000)}`))).status).toBe(200);
  });
});

describe("400: a request that is not HTTP", () => {
  const both =
    "POST /v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const twice =
    "POST /v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc";
  const post = "POST /v1/echo HTTP/1.1\r\nHost: localhost\r\n";
  const gzip = `${post}Transfer-Encoding: gzip\r\n\r\n`;
  const layered = `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
  const old =
    "POST /v1/echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  test.each([
    "hello\r\n\r\n",
    "GET /v1/echo\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    both,
    twice,
    gzip,
    layered,
    old,
  ])("%j", async (text) => {
    const answer = await ask(text);
    expectError(answer, 400, "request.malformed");
    expect(answer.headers.connection).toBe("close");
  });

  test.each([
    [both, "The only transfer coding"],
    [twice, "Content-Length may stand once"],
    [`${post}Host : x\r\n\r\n`, "A header is not well-formed"],
  ])("%j has the problem in its detail", async (text, words) => {
    expect(JSON.parse((await ask(text)).body).detail).toContain(words);
  });

  test("HTTP/1.1 without Host", async () => {
    const answer = await ask("GET /v1/echo HTTP/1.1\r\n\r\n");
    expect(expectError(answer, 400, "request.header-missing").reason).toBe("Host");
  });

  test("an invalid Host", async () => {
    expect(
      expectError(
        await ask("GET /v1/echo HTTP/1.1\r\nHost: a/b?c\r\n\r\n"),
        400,
        "request.header-invalid",
      ).reason,
    ).toBe("Host");
  });

  test("200: HTTP/1.0 needs no Host", async () => {
    expect((await ask("GET /v1/echo HTTP/1.0\r\n\r\n")).status).toBe(200);
  });
});
