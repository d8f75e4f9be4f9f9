import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { notePageStatus } from "@/lib/features/portal/page-status";
import { noteFailedPage } from "./replaced-pages";
import { type RunningServer, startServer } from "./serve";
import { get, rawRequest } from "./testing/raw";
import { tableOf } from "./testing/table";

let server: RunningServer | undefined;
afterEach(() => server?.close());

/** Serves pages with this response. */
async function open(request: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  server = await startServer({ port: 0, routes: await tableOf({}), pages: { request } });
  return server.url;
}

describe("a page that does not exist", () => {
  /** As Next responds: in several writes, the headers flushed first. */
  const answerMissing = (_: IncomingMessage, res: ServerResponse) => {
    res.statusCode = 404;
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("ETag", '"page"');
    res.flushHeaders();
    res.write("<!doctype html>");
    setTimeout(() => res.end("<h1>Page not found</h1>"), 10);
  };
  const ask = async (...headers: string[]) =>
    rawRequest(await open(answerMissing), get("/scim/v2/Users", ...headers));

  test.each(["Accept: */*", "Accept: application/scim+json, application/json", "X-None: x"])(
    "404 in JSON for programs: %s",
    async (header) => {
      const { status, headers, body } = await ask(header);
      expect([status, headers["content-type"], headers.etag]).toEqual([
        404,
        "application/json",
        undefined,
      ]);
      expect(JSON.parse(body)).toEqual({
        name: "NotFoundError",
        code: "request.not-found",
        detail: "There is nothing at /scim/v2/Users.",
      });
    },
  );

  test.each(["Accept: text/html,*/*;q=0.8", "RSC: 1"])(
    "the page for browsers: %s",
    async (header) => {
      const { status, headers } = await ask(header);
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    },
  );
});

describe("a page that renders its own reason for a 404", () => {
  /** As Next renders it; compression sends the headers by themselves. */
  const answerDenied = (req: IncomingMessage, res: ServerResponse) => {
    notePageStatus(String(req.headers["x-service-request-id"]), 403);
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.writeHead(res.statusCode);
    res.end("<h1>You don't have access to this page</h1>");
  };

  test.each([
    [403, "Accept: text/html"],
    [200, "RSC: 1"],
  ])("%i: %s", async (expected, header) => {
    const path = "/t/acme/users";
    const { status } = await rawRequest(await open(answerDenied), get(path, header));
    expect(status).toBe(expected);
    expect((await rawRequest(await open((_, res) => res.end("x")), get(path))).status).toBe(200);
  });

  test("200 for the next request with the same id, if the status was set after the first byte", async () => {
    let isLate = true;
    const url = await open((req, res) => {
      res.write("<!doctype html>");
      if (isLate) notePageStatus(String(req.headers["x-service-request-id"]), 403);
      isLate = false;
      res.end();
    });
    const ask = () =>
      rawRequest(url, get("/t/acme", "Accept: text/html", "X-Service-Request-Id: a"));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  });
});

describe("a page that failed because of the store", () => {
  const away = Object.assign(new Error("timeout expired"), { code: "08006" });
  /** As Next renders it: it reports the error, and then responds 500 in several writes. */
  const answerFailed = (error: Error) => (req: IncomingMessage, res: ServerResponse) => {
    noteFailedPage(error, String(req.headers["x-service-request-id"]));
    res.statusCode = 500;
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("ETag", '"page"');
    // Compression sends the headers first.
    res.writeHead(500);
    res.write("packed");
    setTimeout(() => res.end("packed"), 10);
  };
  const ask = async (error: Error, ...headers: string[]) =>
    rawRequest(await open(answerFailed(error)), get("/t/acme/users", ...headers));

  test("503 with Retry-After and a short page for people", async () => {
    const { status, headers, body } = await ask(away, "Accept: text/html");
    expect([status, headers["retry-after"], headers.etag]).toEqual([503, "2", undefined]);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(body).toContain("The store cannot be reached. Try again in a few seconds.");
  });

  test.each(["RSC: 1", "Accept: application/json"])(
    "503 in JSON, with its code: %s",
    async (header) => {
      const { status, headers, body } = await ask(away, header);
      expect([status, headers["retry-after"]]).toEqual([503, "2"]);
      expect(JSON.parse(body).code).toBe("server.store-unavailable");
    },
  );

  test("500 stays for a fault of the service", async () => {
    const response = await fetch(`${await open(answerFailed(new Error("a bug")))}/t/acme/users`);
    expect([response.status, await response.text()]).toEqual([500, "packedpacked"]);
  });
});
