import { randomFillSync } from "node:crypto";
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";

/** Headers with a single value: if sent twice with different values, it is ambiguous which one applies. */
const singletons = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expect",
  "from",
  "host",
  "idempotency-key",
  "if-modified-since",
  "if-unmodified-since",
  "max-forwards",
  "origin",
  "proxy-authorization",
  "range",
  "referer",
  "transfer-encoding",
  "user-agent",
]);

const isSingleton = (name: string) =>
  singletons.has(name) || name.startsWith("x-service-") || name.startsWith("sec-fetch-");

/** Only the server may set these; those of a client are dropped. */
const isReserved = (name: string) => name.startsWith("x-gatehouse-");

/** Sets a header in both places that are read later: the parsed object and the raw list. */
export function setHeader(req: IncomingMessage, name: string, value: string): void {
  const known = name in req.headers;
  req.headers[name] = value;
  if (!known) {
    req.rawHeaders.push(name, value);
    return;
  }
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() === name) req.rawHeaders[i + 1] = value;
  }
}

/** Rebuilds the raw list with each singleton once and nothing reserved. */
function rewrite(req: IncomingMessage): void {
  const raw = req.rawHeaders;
  const first = new Map<string, string>();
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i], raw[i + 1]];
    const lower = name.toLowerCase();
    if (isReserved(lower)) {
      delete req.headers[lower];
      continue;
    }
    const seen = isSingleton(lower) ? first.get(lower) : undefined;
    if (seen === undefined) {
      first.set(lower, value.trim());
      kept.push(name, value);
    } else if (seen !== value.trim()) {
      throw new ApiError(
        "request.duplicate-header",
        `${name} was sent twice with different values.`,
        name,
      );
    } else if (lower === "host") {
      // RFC 9112, 3.2: rejected whatever the values.
      throw new ApiError("request.duplicate-header", "Host was sent twice.", name);
    } else {
      req.headers[lower] = seen;
    }
  }
  raw.splice(0, raw.length, ...kept);
}

/** The length of all headers as sent, without the two bytes of each line's end. */
function sizeOf(raw: string[]): number {
  let size = 0;
  for (const part of raw) size += part.length + 2;
  return size;
}

/** Checks the headers and removes duplicates of each singleton. Throws 400 and 431. */
export function normaliseHeaders(req: IncomingMessage, max: number): void {
  const { headers, rawHeaders } = req;
  if (sizeOf(rawHeaders) > max) {
    throw new ApiError(
      "request.headers-too-large",
      `The headers are larger than ${max} bytes.`,
      String(max),
    );
  }
  let distinct = 0;
  let reserved = false;
  for (const name in headers) {
    distinct += 1;
    if (name.charCodeAt(0) === 120 && isReserved(name)) reserved = true;
  }
  if (reserved || distinct * 2 !== rawHeaders.length) rewrite(req);
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;
const pool = Buffer.alloc(4096);
let used = pool.length;

/** 22 characters that no other request has. The pool saves one system call per request. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString("base64url", used, used + 16);
  used += 16;
  return id;
}

/** The caller's own id if it is usable, else a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === "string" && acceptable.test(sent) ? sent : newRequestId();
}

const always = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
const overHttps = { ...always, "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** Headers of every response, in lower case: of the interface, of pages, files and errors alike. */
export const securityHeaders = (): Record<string, string> =>
  publicUrl().startsWith("https://") ? overHttps : always;

/** Index of the value of a header in a flat list of names and values. */
const valueIndex = (list: OutgoingHttpHeader[], name: string) => list.indexOf(name) + 1;

/**
 * A proxy that transforms a response must make its ETag weak, and a weak one meets no If-Match: `no-transform` (RFC 9110, 7.7) asks
 * caches and proxies not to change the bytes of a response with an ETag.
 */
function keepTagStrong(list: OutgoingHttpHeader[]): void {
  if (valueIndex(list, "etag") === 0) return;
  const at = valueIndex(list, "cache-control");
  if (at === 0) list.push("cache-control", "no-transform");
  else list[at] = `${list[at]}, no-transform`;
}

/** Adds the headers of every response to a flat list of names (in lower case) and values, in place. */
function addTo(list: OutgoingHttpHeader[]): void {
  keepTagStrong(list);
  for (const [name, value] of Object.entries(securityHeaders()))
    if (!list.includes(name)) list.push(name, value);
}

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The response that the server creates for each request: it always sends the security headers, and `no-transform` with a tag. */
export class SecureResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Given, given?: Given): this {
    const headers = typeof reason === "object" ? reason : given;
    const words = typeof reason === "string" ? reason : undefined;
    // Headers as a list are written unchanged: merging a separately set header would cost time.
    if (Array.isArray(headers)) addTo(headers);
    else
      for (const [name, value] of Object.entries(securityHeaders()))
        if (!this.hasHeader(name)) this.setHeader(name, value);
    return words === undefined
      ? super.writeHead(status, headers)
      : super.writeHead(status, words, headers);
  }
}
