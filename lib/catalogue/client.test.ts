import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call, exchange, exchangeText } from "./client";

const asked: Headers[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Headers }) => {
    asked.push(headers);
    return Response.json([]);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a tag that a proxy has made weak goes into If-Match as the service gave it", async () => {
  const weak = { headers: { ETag: 'W/"a"' } };
  vi.stubGlobal("fetch", async () => Response.json([], weak));
  const input = { tenant: "acme" };
  expect((await exchange("GET /v1/alerts", input)).etag).toBe('"a"');
  expect((await exchangeText("GET /v1/alerts", input)).etag).toBe('"a"');
});

/** A browser whose person has clicked or typed within the last seconds, or not. */
const attended = (isActive: boolean) =>
  vi.stubGlobal("navigator", { userActivation: { isActive } });
const isBackground = () => asked.map((headers) => headers.get("x-service-background"));

describe("what the page asks for by itself is marked, so that it is not a use of the session", () => {
  test("a read without a click or key before it, whatever starts it", async () => {
    attended(false);
    await call("GET /v1/alerts", { tenant: "acme" });
    await exchangeText("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual(["true", "true"]);
  });

  test("not one that a person has just asked for", async () => {
    attended(true);
    await call("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual([null]);
  });

  test("never a write: the page writes nothing without the user", async () => {
    attended(false);
    await call("DELETE /v1/user/session", { tenant: "acme" });
    expect(isBackground()).toEqual([null]);
  });

  test("not where there is no browser that could report it", async () => {
    await call("GET /v1/alerts", { tenant: "acme" });
    vi.stubGlobal("navigator", undefined);
    await call("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual([null, null]);
  });
});
