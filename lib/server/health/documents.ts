import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { FastResponse } from "srvx/node";
import { type Check, checkStore, type StoreChecks } from "@/lib/database/readiness";
import { errorResponse } from "@/lib/http/error-response";
import {
  type RequestContext,
  type Respond,
  withUnreportedContext,
} from "@/lib/http/request-context";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { ApiError } from "@/lib/protocol/errors";
import { bearerOf } from "@/lib/protocol/http-fields";
import { publicUrl, setting } from "@/lib/protocol/settings";
import { isStopping } from "@/lib/server/stopping";
import { expositionOfAll } from "./measures";

interface Plain {
  contentType: string;
  text: string;
}

function plain(create: (request: Request, context: RequestContext) => Promise<Plain>): Respond {
  return withUnreportedContext(async (request, context) => {
    try {
      const { contentType, text } = await create(request, context);
      const headers = {
        "Content-Type": contentType,
        "Cache-Control": "no-store",
        ...context.responseHeaders,
      };
      return new FastResponse(text, { status: 200, headers });
    } catch (error) {
      return errorResponse(error, request, context);
    }
  });
}

const state = (status: string, checks?: StoreChecks) => ({
  contentType: "application/json",
  text: JSON.stringify({ status, checks }),
});

/** Whether the process answers at all. */
export const liveness = plain(async () => state("alive"));

type Served = "ok" | "degraded" | "full";

/** A full disk affects every instance, and reads still work: requests are still sent here. */
const isServed = (check: Check): check is Served =>
  check === "ok" || check === "degraded" || check === "full";

const notReady: Record<Exclude<Check, Served>, [ErrorCode & `server.${string}`, string]> = {
  away: ["server.store-unavailable", "The store cannot be reached."],
  failed: ["server.store-unavailable", "The store refuses what it is asked."],
  slow: ["server.store-unavailable", "The store did not answer within a second."],
  "read-only": ["server.store-read-only", "The store takes no writes."],
  busy: ["server.store-busy", "A lock in the store was not released in time."],
};

/**
 * Whether requests should be sent here: the process is not stopping, and both kinds of connections to the store were just
 * checked. `checks` has the problems.
 */
export const readiness = withUnreportedContext(async (request, context) => {
  if (isStopping()) {
    const detail = "The server is stopping. Another instance will answer.";
    return errorResponse(new ApiError("server.stopping", detail), request, context);
  }
  const checks = await checkStore();
  const found = [checks.reads, checks.writes];
  const wrong = found.find((one) => !isServed(one));
  if (wrong === undefined) {
    const status = found.every((one) => one === "ok") ? "ready" : "degraded";
    return plain(async () => state(status, checks))(request, context);
  }
  const [code, detail] = notReady[wrong];
  const error = new ApiError(code, detail, undefined, { headers: { "Retry-After": "1" } });
  const response = errorResponse(error, { method: "GET", headers: request.headers }, context);
  const body = JSON.stringify({ ...(await response.json()), status: "not ready", checks });
  response.headers.set("Content-Length", String(Buffer.byteLength(body)));
  const { status, headers } = response;
  return new FastResponse(request.method === "HEAD" ? null : body, { status, headers });
});

const isLoopback = (address: string) =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));

const localName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** The headers that proxies add to a forwarded request. */
const passedOn =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;

/** A proxy on this machine that adds no header itself still passes on the requested Host, unless it is configured not to. */
const isDirect = (headers: Headers) =>
  localName.test(headers.get("host") ?? "") &&
  ![...headers.keys()].some((name) => passedOn.test(name));

const digest = (text: string) => createHash("sha256").update(text).digest();

function hasToken(headers: Headers): boolean {
  const token = setting("METRICS_TOKEN");
  const given = bearerOf(headers);
  return !!token && !!given && timingSafeEqual(digest(given), digest(token));
}

/** Whether it is Prometheus' own request: from this machine and not forwarded by a proxy on it, or with METRICS_TOKEN. */
export const measurements = plain(async ({ headers }, { origin }) => {
  const isLocal = isLoopback(origin.address) && isDirect(headers);
  if (!isLocal && !hasToken(headers))
    throw new ApiError("request.not-found", "There is nothing at this address.");
  return expositionOfAll();
});

const expiresAfterMs = 180 * 24 * 60 * 60 * 1000;

/** RFC 9116: the contact for vulnerabilities. 404 unless SECURITY_CONTACT is set. */
export const securityTxt = plain(async () => {
  const lines = setting("SECURITY_CONTACT").map((uri) => `Contact: ${uri}`);
  if (lines.length === 0)
    throw new ApiError("request.not-found", "There is nothing at this address.");
  const expires = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + expiresAfterMs);
  const canonical = `Canonical: ${publicUrl()}/.well-known/security.txt`;
  const text = [
    ...lines,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    canonical,
  ];
  return { contentType: "text/plain; charset=utf-8", text: `${text.join("\n")}\n` };
});
