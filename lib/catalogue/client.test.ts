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

test("a weak ETag from a proxy is sent in If-Match as the service created it", async () => {
  const weak = { headers: { ETag: 'W/"a"' } };
  vi.stubGlobal("fetch", async () => Response.json([], weak));
  const input = { tenant: "acme" };
  expect((await exchange("GET /v1/alerts", input)).etag).toBe('"a"');
  expect((await exchangeText("GET /v1/alerts", input)).etag).toBe('"a"');
});

/** A browser with or without user activity (a click or key) in the last seconds. */
const attended = (isActive: boolean) =>
  vi.stubGlobal("navigator", { userActivation: { isActive } });
const isBackground = () => asked.map((headers) => headers.get("x-service-background"));

describe("background requests of the page are marked, so that they do not count as a use of the session", () => {
  test("a read without a click or key before it, whatever causes it", async () => {
    attended(false);
    await call("GET /v1/alerts", { tenant: "acme" });
    await exchangeText("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual(["true", "true"]);
  });

  test("not a read that the user has just caused", async () => {
    attended(true);
    await call("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual([null]);
  });

  test("never a write: the page does not write without the user", async () => {
    attended(false);
    await call("DELETE /v1/user/session", { tenant: "acme" });
    expect(isBackground()).toEqual([null]);
  });

  test("not outside a browser, which could report user activity", async () => {
    await call("GET /v1/alerts", { tenant: "acme" });
    vi.stubGlobal("navigator", undefined);
    await call("GET /v1/alerts", { tenant: "acme" });
    expect(isBackground()).toEqual([null, null]);
  });
});
