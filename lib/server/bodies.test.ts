import { FastResponse } from "srvx/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBody } from "@/lib/http/body";
import { errorResponse } from "@/lib/http/error-response";
import { limits } from "./limits";
import { type RunningServer, startServer } from "./serve";
import { connectRaw, get, rawRequest } from "./testing/raw";
import { tableOf } from "./testing/table";

let server: RunningServer;
const small = 1000;

const json = (body: unknown, status = 200) =>
  new FastResponse(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });

const size = async (request: Request) => {
  try {
    return json((await readBody(request, small)).byteLength);
  } catch (error) {
    return errorResponse(error, request);
  }
};

const next = async () => json("next");
const reject = async () => json({ name: "AuthenticationError" }, 401);

beforeAll(async () => {
  const routes = await tableOf({
    "v1/size": { POST: size, GET: next },
    "v1/refuse": { POST: reject },
  });
  server = await startServer({ port: 0, routes });
});
afterAll(() => server.close());

const post = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
const withBody = (path: string, body: string) =>
  `${post(path, `Content-Length: ${body.length}`)}${body}`;

describe("413: a body that is too large", () => {
  test("is rejected at once if its Content-Length is too large, and the response arrives", async () => {
    const connection = connectRaw(server.url);
    connection.send(`${post("/v1/size", `Content-Length: ${limits.body + 1}`)}only the beginning`);
    const answer = await connection.answer();
    expect(answer).toMatchObject({ status: 413, headers: { connection: "close" } });
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "request.body-too-large",
      reason: String(limits.body),
    });
    expect(await connection.closed()).toBe("");
  });

  test("for a page is rejected by the same limit", async () => {
    expect(
      (await rawRequest(server.url, post("/sign-in", `Content-Length: ${limits.body + 1}`))).status,
    ).toBe(413);
  });

  test("whose reader cancels it half-way gets a response, not a closed connection", async () => {
    const answer = await rawRequest(server.url, withBody("/v1/size", "x".repeat(200_000)));
    expect(answer.status).toBe(413);
  });

  test("without a length is stopped at the operation's limit", async () => {
    const connection = connectRaw(server.url);
    connection.send(post("/v1/size", "Transfer-Encoding: chunked"));
    for (let i = 0; i < 50; i += 1) connection.send(`3e8\r\n${"x".repeat(1000)}\r\n`);
    expect(await connection.answer()).toMatchObject({
      status: 413,
      headers: { connection: "close" },
    });
  });
});

describe("a connection after a response to a request whose body was not read", () => {
  test("is kept if the rest is small, and the rest is not parsed as the next request", async () => {
    const connection = connectRaw(server.url);
    const body = "GET /v1/refuse HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20);
    connection.send(`${withBody("/v1/refuse", body)}${get("/v1/size")}`);
    expect((await connection.answer()).status).toBe(401);
    expect(await connection.answer()).toMatchObject({ status: 200, body: '"next"' });
    connection.end();
  });

  test("is kept if a small rest arrives after the response", async () => {
    const connection = connectRaw(server.url);
    connection.send(post("/v1/refuse", "Content-Length: 40000"));
    expect((await connection.answer()).status).toBe(401);
    connection.send("x".repeat(40_000));
    connection.send(get("/v1/size"));
    expect((await connection.answer()).body).toBe('"next"');
    connection.end();
  });

  test("is kept if the reader stopped within a small body", async () => {
    const connection = connectRaw(server.url);
    connection.send(`${withBody("/v1/size", "x".repeat(50_000))}${get("/v1/size")}`);
    expect((await connection.answer()).status).toBe(413);
    expect((await connection.answer()).body).toBe('"next"');
    connection.end();
  });

  test("closes if the rest is large, after a client that writes first could read its response", async () => {
    const connection = connectRaw(server.url);
    connection.send(withBody("/v1/refuse", "x".repeat(1_500_000)));
    expect(await connection.answer()).toMatchObject({
      status: 401,
      headers: { connection: "close" },
    });
    expect(await connection.closed()).toBe("");
  });

  test("is kept after requests without a body", async () => {
    const connection = connectRaw(server.url);
    for (let i = 0; i < 3; i += 1) {
      connection.send(get("/v1/size"));
      expect((await connection.answer()).headers.connection).toBe("keep-alive");
    }
    connection.end();
  });

  test("answers pipelined requests in their order", async () => {
    const connection = connectRaw(server.url);
    connection.send(
      `${withBody("/v1/size", "abc")}${get("/v1/size")}${withBody("/v1/size", "abcde")}`,
    );
    const bodies = [
      await connection.answer(),
      await connection.answer(),
      await connection.answer(),
    ].map(({ body }) => body);
    expect(bodies).toEqual(["3", '"next"', "5"]);
    connection.end();
  });

  test.each([1, 3])(
    "still gets every response if garbage follows %i requests, then 400 and the close",
    async (count) => {
      const connection = connectRaw(server.url);
      connection.send(`${get("/v1/size").repeat(count)}garbage\r\n\r\n`);
      for (let n = 0; n < count; n += 1) expect((await connection.answer()).body).toBe('"next"');
      expect(await connection.answer()).toMatchObject({
        status: 400,
        headers: { connection: "close" },
      });
      expect(await connection.closed()).toBe("");
    },
  );

  test("a connection with an invalid chunk closes only after the responses to earlier requests", async () => {
    const connection = connectRaw(server.url);
    connection.send(`${get("/v1/size")}${post("/v1/size", "Transfer-Encoding: chunked")}zz\r\n`);
    expect((await connection.answer()).body).toBe('"next"');
    expect(await connection.answer()).toMatchObject({
      status: 400,
      headers: { connection: "close" },
    });
    expect(await connection.closed()).toBe("");
  });
});

describe("Expect: 100-continue", () => {
  test("100 when the body is wanted", async () => {
    const connection = connectRaw(server.url);
    connection.send(post("/v1/size", "Content-Length: 5", "Expect: 100-continue"));
    expect((await connection.answer()).status).toBe(100);
    connection.send("12345");
    expect(await connection.answer()).toMatchObject({ status: 200, body: "5" });
    connection.end();
  });

  test("401 at once when it is not, and no 100", async () => {
    const connection = connectRaw(server.url);
    connection.send(post("/v1/refuse", "Content-Length: 5", "Expect: 100-continue"));
    expect(await connection.answer()).toMatchObject({
      status: 401,
      headers: { connection: "close" },
    });
    expect(await connection.closed()).toBe("");
  });

  test("413 at once for a length past the limit", async () => {
    expect(
      (
        await rawRequest(
          server.url,
          post("/v1/size", "Content-Length: 9999999", "Expect: 100-continue"),
        )
      ).status,
    ).toBe(413);
  });
});

test("400: a body that is declared as chunked but is not", async () => {
  const answer = await rawRequest(
    server.url,
    `${post("/v1/size", "Transfer-Encoding: chunked")}zz\r\nnot a chunk\r\n`,
  );
  expect(answer).toMatchObject({ status: 400, headers: { connection: "close" } });
  expect(JSON.parse(answer.body).code).toBe("request.malformed");
});
