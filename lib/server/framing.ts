import type { IncomingMessage } from "node:http";
import { tooLarge } from "@/lib/http/body";
import { ApiError } from "@/lib/protocol/errors";
import { prefers } from "@/lib/protocol/http-fields";
import { cut, textProblem } from "@/lib/protocol/text";
import { normaliseHeaders } from "./headers";
import type { Limits } from "./limits";
import { endpointOf, findRoute, isMethod, maxBody, type Route, type RouteTable } from "./routes";

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
  /** Undefined for a request to a page. */
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

/** Rejects a body that another recipient would decode or frame differently (RFC 9112, 6.1). */
function checkCoding({ headers, httpVersionMinor }: IncomingMessage): void {
  const coding = headers["transfer-encoding"]?.trim().toLowerCase();
  if (coding === undefined || (coding === "chunked" && httpVersionMinor > 0)) return;
  throw new ApiError(
    "request.malformed",
    "The only transfer coding that is supported is chunked, in HTTP/1.1.",
    undefined,
    { headers: { Connection: "close" } },
  );
}

/** Bodies are read up to `max`, even if the operation then rejects them; the error has the operation's own limit. */
function checkBody(req: IncomingMessage, max: number, route: Route | undefined): void {
  checkCoding(req);
  const length = req.headers["content-length"];
  if (length === undefined) return;
  if (req.headers["transfer-encoding"] !== undefined) {
    throw new ApiError(
      "request.malformed",
      "Content-Length and Transfer-Encoding exclude each other.",
    );
  }
  if (Number(length) > max)
    throw tooLarge(Math.min(max, endpointOf(route, req.method)?.limits.body ?? max));
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

/** Whether the response depends on Accept, because the address is that of a guide. */
export const isNegotiated = (url = ""): boolean => guide.test(url.split("?", 1)[0] ?? "");

/** At the same address, a guide is a page for people and Markdown for programs that request it. */
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

/** Checks everything about a request that does not need its body. Throws 400, 404, 405, 413, 414, 417 and 431. */
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
  checkBody(req, maxBody(framed.route, req.method, limits.body), framed.route);
  return framed;
}

/** In any letter case and version, so that a program with a mistyped address gets JSON. */
const api =
  /^\/(?:(?:v\d+|pim|\.well-known|internal|api(?!\/auth\/))(?:\/|$)|(?:openapi\.json|healthz|readyz|_next\/image)$)/i;
const unprintable = /[^!-~]|#/;
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** The path of a request target, as sent. Throws 400 and 414. */
export function pathOf(target: string, max: number): string {
  if (target.charCodeAt(0) !== 47) {
    throw new ApiError("request.malformed", "The request target must begin with a slash.");
  }
  if (target.length > max) {
    throw new ApiError(
      "request.target-too-long",
      `The request target is longer than ${max} bytes.`,
      String(max),
    );
  }
  if (unprintable.test(target)) {
    throw new ApiError(
      "request.malformed",
      "The request target holds characters that must be percent-encoded.",
    );
  }
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ApiError("request.malformed", "The path is not correctly percent-encoded UTF-8.");
  }
}

/**
 * Rejects an ambiguous path instead of normalising it: 400 for a bad escape,
 * 404 for empty, dot and encoded-slash segments. Returns whether the path belongs to the interface.
 */
export function checkPath(path: string): "api" | "page" {
  const decoded = path.includes("%") ? decode(path) : path;
  const slashes = path.includes("//") || decoded.includes("\\") || /%2f/i.test(path);
  if (slashes || dotSegment.test(decoded)) throw notFound(path);
  if (api.test(path)) return "api";
  if (api.test(decoded)) throw notFound(path);
  // The interface reports the parameter with the invalid text; a page cannot.
  const held = textProblem(decoded, "line");
  if (held !== undefined)
    throw new ApiError("request.malformed", `The path must not contain ${held}.`);
  return "page";
}

export function notFound(path: string): ApiError {
  return new ApiError("request.not-found", `There is nothing at ${cut(path, 200)}.`);
}

const secretNames = /^(?:(?:current|new)?password|token|api_?key)$/i;

/** Pages of the portal have a filter `apiKey`, which contains ids of keys. */
const isFilter = (target: string, name: string, value: string) =>
  name === "apiKey" && target.startsWith("/t/") && !value.includes("svk_");

/**
 * The address without secrets; undefined if it has none. Such a query is from a form that was sent with GET, so all other typed fields
 * are removed, too: only the tenant and the next page stay.
 */
export function withoutSecrets(target: string): string | undefined {
  const query = target.indexOf("?");
  if (query === -1) return undefined;
  const given = [...new URLSearchParams(target.slice(query + 1))];
  const hasSecret = given.some(
    ([name, value]) => secretNames.test(name) && !isFilter(target, name, value),
  );
  if (!hasSecret) return undefined;
  const kept = given.filter(([name]) => name === "tenant" || name === "next");
  const search = new URLSearchParams(kept).toString();
  return target.slice(0, query) + (search && `?${search}`);
}
