import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/protocol/errors";
import { prefers } from "@/lib/protocol/negotiation";
import { normaliseHeaders } from "./headers";
import type { Limits } from "./limits";
import { findRoute, isMethod, maxBody, type Route, type RouteTable } from "./routes";
import { checkPath, notFound, pathOf } from "./target";

const hostName = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const pageMethods = "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS";

/** Methods that neither operations nor pages have: TRACE, CONNECT, WebDAV's. */
export function pageMethodNotAllowed(method: string | undefined): ApiError {
  return new ApiError(
    "request.method-not-allowed",
    `${method} is not supported here.`,
    pageMethods,
    { headers: { Allow: pageMethods } },
  );
}

export interface Framed {
  path: string;
  /** Without a route the request is for the pages. */
  route: Route | undefined;
}

function checkHost(req: IncomingMessage): void {
  const { host } = req.headers;
  if (req.httpVersionMajor !== 1)
    throw new ApiError("request.malformed", "Only HTTP/1.1 is supported.");
  if (host === undefined) {
    if (req.httpVersionMinor === 0) return;
    throw new ApiError("request.header-missing", "The header Host is missing.", "Host");
  }
  if (!hostName.test(host))
    throw new ApiError("request.header-invalid", "Host is not a valid host name.", "Host");
}

function checkBody(req: IncomingMessage, max: number): void {
  const length = req.headers["content-length"];
  if (length === undefined) return;
  if (req.headers["transfer-encoding"] !== undefined) {
    throw new ApiError(
      "request.malformed",
      "Content-Length and Transfer-Encoding exclude each other.",
    );
  }
  if (Number(length) > max) {
    throw new ApiError(
      "request.body-too-large",
      `The body is larger than ${max} bytes.`,
      String(max),
    );
  }
}

function checkExpectation({ headers, httpVersionMinor }: IncomingMessage): void {
  if (httpVersionMinor === 0) delete headers.expect;
  if (headers.expect === undefined || headers.expect.trim().toLowerCase() === "100-continue")
    return;
  throw new ApiError(
    "request.expectation-failed",
    "The only expectation this service meets is 100-continue.",
    "100-continue",
  );
}

const guide = /^\/docs\/guides(?=\/[^/]+$)/;

/** Whether what is sent depends on Accept, because the address is a guide's. */
export const isNegotiated = (url = ""): boolean => guide.test(url.split("?", 1)[0] ?? "");

/** A guide is a page for people, and Markdown for programs that ask for that at the same address. */
const representedAt = (path: string, accept: string | undefined): string =>
  prefers(accept, "text/markdown", "text/html") ? path.replace(guide, "/docs/markdown") : path;

function checkTarget(req: IncomingMessage, limits: Limits, routes: RouteTable | undefined): Framed {
  const path = pathOf(req.url ?? "", limits.target);
  const fixed = routes?.fixed.get(path);
  if (fixed) return { path, route: fixed };
  const kind = checkPath(path);
  const route = routes ? findRoute(routes, representedAt(path, req.headers.accept)) : undefined;
  if (routes && kind === "api" && !route) throw notFound(path);
  return { path, route };
}

/** Everything that can be said about a request before anybody reads its body. Throws 400, 404, 405, 413, 414, 417 and 431. */
export function frame(
  req: IncomingMessage,
  limits: Limits,
  routes: RouteTable | undefined,
): Framed {
  normaliseHeaders(req, limits.headers);
  checkHost(req);
  checkExpectation(req);
  const framed = checkTarget(req, limits, routes);
  if (!framed.route && !isMethod(req.method)) throw pageMethodNotAllowed(req.method);
  checkBody(req, maxBody(framed.route, req.method, limits.body));
  return framed;
}
