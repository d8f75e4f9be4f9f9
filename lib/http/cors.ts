import { sitesOf } from "@/lib/access/sites";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";
import { cut } from "@/lib/protocol/text";

const requestHeaders = [
  "Authorization",
  "Content-Type",
  "If-Match",
  "If-None-Match",
  "Idempotency-Key",
  "X-Service-Tenant",
  "X-Service-Site",
  "X-Service-Request-Id",
];
const responseHeaders = [
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "Location",
  "Allow",
  "Idempotency-Replayed",
  "X-Service-Request-Id",
];

/** The headers that let a page of that origin read a response. Never credentials: consumer tokens are sent in a header. */
export function readableBy(origin: string): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": responseHeaders.join(", "),
    Vary: "Origin",
  };
}

/** The response to a preflight, which has neither tenant nor site, so any origin may send the request itself. */
export function preflight(request: Request, methods: string): Record<string, string> {
  const origin = request.headers.get("origin");
  if (!origin || request.headers.get("access-control-request-method") === null) return {};
  const asked = request.headers.get("access-control-request-headers")?.split(",") ?? [];
  const own = asked
    .map((name) => name.trim())
    .filter((name) => /^x-service-[a-z0-9-]{1,64}$/i.test(name));
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": [
      ...new Set([...requestHeaders, ...own].map((name) => name.toLowerCase())),
    ].join(", "),
    "Access-Control-Max-Age": "600",
    Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  };
}

/** Whether a page of the request's origin may call this site. A site that does not exist has no list, which is no secret. */
export async function isOriginAllowed(
  origin: string,
  tenantId: string,
  siteId: string,
): Promise<boolean> {
  if (origin === publicUrl()) return true;
  const allowed = (await sitesOf(tenantId)).get(siteId);
  return allowed === undefined || allowed.includes(origin);
}

export function originNotAllowed(origin: string): ApiError {
  const detail =
    "Pages of this origin may not call this site. Add the origin to the site's allowed origins.";
  return new ApiError("origin.not-allowed", detail, cut(origin, 256), {
    headers: { Vary: "Origin" },
  });
}
