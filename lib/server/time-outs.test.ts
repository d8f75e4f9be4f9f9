import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { FastResponse } from "srvx/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readBody } from "@/lib/http/body";
import { type CompletedRequest, onCompletedRequest } from "@/lib/http/request-context";
import { log } from "@/lib/protocol/log";
import { type RunningServer, startServer } from "./serve";
import { connectRaw, get, type RawAnswer, type RawConnection, rawRequest } from "./testing/raw";
import { tableOf } from "./testing/table";

let server: RunningServer;
/** A limit that no handler exceeds, even on a slow machine. */
let patient: RunningServer;
/** Limits that are only exceeded by the test's own clock. */
let unhurried: RunningServer;
/** Requests in progress until the test ends them. */
const held: (() => void)[] = [];
const release = () => held.splice(0).forEach((end) => void end());
const finished: CompletedRequest[] = [];
const short = {
  headersMs: 300,
  bodyMs: 400,
  handlerMs: 200,
  metricsHandlerMs: 60_000,
  sweepMs: 20,
  inProgress: 3,
};

const never = () =>
  new Promise<Response>((resolve) => held.push(() => resolve(new FastResponse("late"))));
/** How many bodies are being read. */
let reading = 0;
const read = async (request: Request) => {
  reading += 1;
  const { byteLength } = await readBody(request, 1000).finally(() => {
    reading -= 1;
  });
  return new FastResponse(String(byteLength));
};
const failing = async () =>
  new FastResponse(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("[1,")),
      pull: async () => {
        await pause(20);
        throw new Error("the store went away");
      },
    }),
  );
const quick = async () => new FastResponse("quick");
const crash = async () => {
  throw new Error("secret detail");
};

beforeAll(async () => {
  const routes = await tableOf({
    "v1/never": { GET: never },
    "v1/api-metrics/never": { GET: never },
    "v1/read": { POST: read },
    "v1/failing": { GET: failing },
    "v1/crash": { GET: crash },
    "v1/quick": { GET: quick },
    healthz: { GET: quick },
  });
  server = await startServer({ port: 0, routes, limits: short });
  patient = await startServer({ port: 0, routes, limits: { ...short, handlerMs: 60_000 } });
  const long = { headersMs: 60_000, bodyMs: 60_000, bodyGraceMs: 60_000, handlerMs: 30_000 };
  unhurried = await startServer({ port: 0, routes, limits: { ...short, ...long } });
  onCompletedRequest((one) => finished.push(one));
});
afterAll(() => Promise.all([server, patient, unhurried].map((one) => one.close())));

const ask = (text: string, { url } = server) => rawRequest(url, text);
const codeOf = ({ body }: { body: string }) => JSON.parse(body).code;
const rejectionOf = (one: RawAnswer) => [one.status, codeOf(one), one.headers["retry-after"]];
const tooLate = [400, "request.body-timed-out", "close"];
const lateOf = (one: RawAnswer) => [one.status, codeOf(one), one.headers.connection];

describe("503: a handler that does not answer", () => {
  test("is timed out, its late response is dropped and the connection stays usable", async () => {
    const connection = connectRaw(server.url);
    connection.send(get("/v1/never"));
    expect(rejectionOf(await connection.answer())).toEqual([503, "request.timed-out", "1"]);
    release();
    connection.send(get("/v1/quick"));
    expect((await connection.answer()).body).toBe("quick");
    connection.end();
  });

  test("metrics have longer", async () => {
    const metrics = ask(get("/v1/api-metrics/never"));
    await expect.poll(() => held.length).toBe(1);
    expect((await ask(get("/v1/never"))).status).toBe(503);
    release();
    expect((await metrics).body).toBe("late");
  });
});

describe("400: a request that does not arrive", () => {
  test.each(["abc", ""])("its body, of which only %j arrived", async (part) => {
    const connection = connectRaw(server.url);
    connection.send(
      `POST /v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n${part}`,
    );
    expect(lateOf(await connection.answer())).toEqual(tooLate);
    connection.end();
  });

  test("its headers", async () => {
    const connection = connectRaw(server.url);
    connection.send("GET /v1/quick HTTP/1.1\r\nHost: local");
    expect(lateOf(await connection.answer())).toEqual(tooLate);
    expect(await connection.closed()).toBe("");
  });

  test("200: others are answered while hundreds of late connections are rejected", async () => {
    const { hostname, port } = new URL(patient.url);
    let rejected = 0;
    const all = Array.from({ length: 200 }, () => {
      const socket = connect(Number(port), hostname).on("error", () => undefined);
      socket.once("data", () => {
        rejected += 1;
      });
      socket.write("GET /v1/quick HTTP/1.1\r\nHost: local");
      return socket;
    });
    await Promise.race(all.map((socket) => once(socket, "data")));
    expect((await ask(get("/v1/quick"), patient)).status).toBe(200);
    expect(rejected).toBeLessThan(all.length);
    await Promise.all(all.map((socket) => socket.closed || once(socket, "close")));
  });

  /** Sends headers and half of a body, and waits until that is read. */
  const sendHalf = async () => {
    const connection = connectRaw(unhurried.url);
    connection.send("POST /v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nabc");
    await expect.poll(() => reading).toBe(1);
    return connection;
  };

  /** The monotonic clock is ahead by this much until the test ends. */
  const advance = (ms: number) => {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
    onTestFinished(() => void vi.restoreAllMocks());
  };

  /** Blocks the process from reading anything. */
  const standStill = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };

  test("200: a body that arrived in time and could not be read because the process was suspended", async () => {
    const connection = await sendHalf();
    connection.send("def");
    advance(90_000);
    standStill(2 * short.sweepMs);
    expect(await connection.answer()).toMatchObject({ status: 200, body: "6" });
    connection.end();
  });

  test("503, not 400: headers that arrived in time and could not be read because the process was suspended", async () => {
    const sendInTime = async (): Promise<RawConnection> => {
      const startedAt = performance.now();
      const connection = connectRaw(server.url);
      connection.send("GET /v1/quick HTTP/1.1\r\nHost: local");
      await pause(50);
      connection.send("host\r\n\r\n");
      // A slow machine may send them too late.
      return performance.now() - startedAt < short.headersMs ? connection : sendInTime();
    };
    const connection = await sendInTime();
    standStill(900);
    const answer = await connection.answer();
    expect(answer.status).not.toBe(400);
    if (answer.status === 503) expect(answer.headers["retry-after"]).toBe("1");
    connection.end();
  });

  test("200: the handler's time begins when a slow body is complete", async () => {
    const connection = await sendHalf();
    // Longer than the handler's timeout, and shorter than the body's.
    advance(40_000);
    connection.send("def");
    expect((await connection.answer()).body).toBe("6");
    connection.end();
  });
});

test("503 with Retry-After for more requests in progress than the limit; the process stays live", async () => {
  const waiting: Promise<unknown>[] = [];
  while (held.length < short.inProgress) {
    const begun = held.length;
    waiting.push(ask(get("/v1/never"), patient));
    await expect.poll(() => held.length, { interval: 5 }).toBe(begun + 1);
  }
  const rejected = await ask(get("/v1/quick"), patient);
  expect(rejectionOf(rejected)).toEqual([503, "server.overloaded", "1"]);
  expect((await ask(get("/healthz"), patient)).status).toBe(200);
  release();
  await Promise.all(waiting);
  await expect.poll(async () => (await ask(get("/v1/quick"), patient)).status).toBe(200);
});

test("a stream that fails is aborted, so that no client considers it complete", async () => {
  const connection = connectRaw(unhurried.url);
  connection.send(get("/v1/failing"));
  const { status } = await connection.answer({ hasBody: false });
  expect(status).toBe(200);
  const rest = await connection.closed();
  expect(rest).toContain("[1,");
  expect(rest).not.toContain("\r\n0\r\n");
});

test("500: a handler that throws reveals nothing", async () => {
  log().level = "silent";
  const answer = await ask(get("/v1/crash"), unhurried);
  expect([answer.status, codeOf(answer)]).toEqual([500, "server.internal-error"]);
  expect(answer.body).not.toContain("secret detail");
});

test("every response is reported once, with its template and final status", async () => {
  const ids = ["one", "two", "three"];
  const startedAt = performance.now();
  await ask(get("/v1/quick", "X-Service-Request-Id: one"), unhurried);
  await ask(get("/v1/nope", "X-Service-Request-Id: two"), unhurried);
  await ask(get("/v1/crash", "X-Service-Request-Id: three"), unhurried);
  const elapsedMs = performance.now() - startedAt;
  // Requests of another test may be reported only now.
  const told = finished.filter(({ context }) => ids.includes(context.origin.requestId));
  expect(
    told.map(({ context, template, status, method }) => ({
      requestId: context.origin.requestId,
      template,
      status,
      method,
    })),
  ).toEqual([
    { requestId: "one", template: "/v1/quick", status: 200, method: "GET" },
    { requestId: "two", template: undefined, status: 404, method: "GET" },
    { requestId: "three", template: "/v1/crash", status: 500, method: "GET" },
  ]);
  for (const { durationMs } of told) {
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThanOrEqual(elapsedMs);
  }
});
