import { describe, expect, test } from "vitest";
import { isGatehouseError } from "@/sdk/src/index.js";
import { failure, scriptedServer } from "./testing/scripted-server";

const { client, received } = scriptedServer();
const tenant = { status: 200, body: { id: "acme" } };
const newKey = { body: { name: "ci", validTo: "2027-01-01T00:00:00Z" } };

/** The error of a call that must fail. */
async function failureOf(call: Promise<unknown>) {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isGatehouseError(thrown)) throw new Error("no failed call", { cause: thrown });
  return thrown;
}

describe("a request is repeated", () => {
  test("after 429, no earlier than Retry-After says", async () => {
    const limited = failure(429, "rate-limit.exceeded", { "Retry-After": "1" });
    const gatehouse = client([limited, tenant]);
    await expect(gatehouse.tenant.get()).resolves.toEqual({ id: "acme" });
    expect((received[1]?.at ?? 0) - (received[0]?.at ?? 0)).toBeGreaterThanOrEqual(999);
  });

  test("after 503 and after a connection that ended, up to maxRetries times", async () => {
    const overloaded = failure(503, "server.overloaded");
    const gatehouse = client([overloaded, "reset", tenant], { maxRetries: 2 });
    await expect(gatehouse.tenant.get()).resolves.toEqual({ id: "acme" });
    expect(received).toHaveLength(3);
  });

  test("no more often than maxRetries, and the last failure is thrown", async () => {
    const gatehouse = client([failure(503, "server.overloaded")], { maxRetries: 2 });
    expect((await failureOf(gatehouse.tenant.get())).code).toBe("server.overloaded");
    expect(received).toHaveLength(3);
  });

  test("with the same random Idempotency-Key, which the next call does not share", async () => {
    const gatehouse = client(["reset", failure(503, "server.overloaded"), tenant]);
    await gatehouse.keys.create(newKey);
    await gatehouse.keys.create(newKey);
    const keys = received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test("while the previous attempt, whose response was lost, is still running", async () => {
    const running = failure(409, "idempotency.in-flight");
    const gatehouse = client(["reset", running, tenant]);
    await gatehouse.keys.create(newKey);
    const keys = received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect((received[2]?.at ?? 0) - (received[1]?.at ?? 0)).toBeGreaterThanOrEqual(999);
  });

  test("after pauses that double and are never the same", async () => {
    const gatehouse = client([failure(503, "server.overloaded")], { maxRetries: 3 });
    await failureOf(gatehouse.tenant.get());
    const pauses = received.slice(1).map(({ at }, index) => at - (received[index]?.at ?? 0));
    for (const [index, pause] of pauses.entries())
      expect(pause).toBeGreaterThanOrEqual(100 * 2 ** index - 1);
  });
});

describe("a request is not repeated", () => {
  test("after a status that a retry cannot change", async () => {
    const gatehouse = client([failure(404, "user.not-found")]);
    expect((await failureOf(gatehouse.users.get({ id: "user_x" }))).status).toBe(404);
    expect(received).toHaveLength(1);
  });

  test("when Retry-After is longer than a minute: the caller gets the error", async () => {
    const gatehouse = client([failure(429, "rate-limit.exceeded", { "Retry-After": "3600" })]);
    expect((await failureOf(gatehouse.tenant.get())).retryAfterSeconds).toBe(3600);
    expect(received).toHaveLength(1);
  });

  test("after a network failure of an operation without Idempotency-Key, which may have succeeded", async () => {
    const gatehouse = client(["reset"]);
    const change = gatehouse.users.update({ id: "user_x", body: { name: "Ada" } });
    expect((await failureOf(change)).code).toBe("network.unreachable");
    expect(received).toHaveLength(1);
  });
});

describe("a failure has a code and details", () => {
  test("network.timed-out, when the response takes longer than timeoutMs", async () => {
    const gatehouse = client(["silence"], { timeoutMs: 50, maxRetries: 0 });
    expect((await failureOf(gatehouse.tenant.get())).code).toBe("network.timed-out");
  });

  test("network.unexpected-response, when a proxy answers with a page", async () => {
    const page = { status: 403, headers: { "Content-Type": "text/html" }, body: "<p>No" };
    const gatehouse = client([page]);
    const error = await failureOf(gatehouse.tenant.get());
    expect(error.code).toBe("network.unexpected-response");
    expect(error.status).toBe(403);
  });

  test("the field problems and the request id of a response", async () => {
    const problems = [{ pointer: "/name", detail: "must not be empty" }];
    const body = { code: "request.validation-failed", detail: "No name.", errors: problems };
    const headers = { "X-Service-Request-Id": "req-1" };
    const gatehouse = client([{ status: 400, headers, body }]);
    const error = await failureOf(gatehouse.keys.create(newKey));
    expect(error.problems).toEqual(problems);
    expect(error.requestId).toBe("req-1");
    expect(error.message).toBe("No name.");
  });

  test("a redirect is not followed: it would send the credential elsewhere", async () => {
    const gatehouse = client([{ status: 302, headers: { Location: "/elsewhere" } }], {
      maxRetries: 0,
    });
    expect((await failureOf(gatehouse.tenant.get())).code).toBe("network.unreachable");
    expect(received).toHaveLength(1);
  });
});

describe("an aborted signal ends a call with its reason", () => {
  const reason = new Error("the page was left");

  test("before the request is sent", async () => {
    const gatehouse = client([tenant]);
    const signal = AbortSignal.abort(reason);
    await expect(gatehouse.tenant.get({}, { signal })).rejects.toBe(reason);
    expect(received).toHaveLength(0);
  });

  test("while waiting for the response", async () => {
    const gatehouse = client(["silence"]);
    const controller = new AbortController();
    const call = gatehouse.tenant.get({}, { signal: controller.signal });
    await expect.poll(() => received.length).toBe(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("while waiting for the next attempt", async () => {
    const gatehouse = client([failure(503, "server.overloaded", { "Retry-After": "30" })]);
    const controller = new AbortController();
    const call = gatehouse.tenant.get({}, { signal: controller.signal });
    await expect.poll(() => received.length).toBe(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});
