import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/protocol/errors";

/** Headers that mean one thing: sent twice with two values, nobody can say which one counts. */
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

/** Only the server may say these; a client that sends them from outside is not heard. */
const isReserved = (name: string) => name.startsWith("x-gatehouse-");

/** Sets a header where every later reader looks: the parsed object and the raw list. */
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

/** Checks the headers and leaves each singleton once. Throws 400 and 431. */
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
