import { type Endpoint, isRepeatable, methodOf } from "@/lib/protocol/endpoint";
import type { Json } from "./schema-writer";

const text = (description: string, example: string, maxLength = 256): Json => ({
  description,
  schema: { type: "string", maxLength },
  example,
});

/** Every response header in the document, by its name in `components/headers`. */
const descriptions = {
  "X-Service-Request-Id": text(
    "Identifies the request: the id that the caller sent, else a new one.",
    "5f0c7f4e-2f4b-4c36-9a55-0b7f3f1c2d11",
    64,
  ),
  Link: text(
    'The path of the next page (`rel="next"`), where there is one. Where a credential is deprecated, also its documentation (`rel="deprecation"`).',
    '</v1/user/list?limit=50&cursor=WyJhIl0>; rel="next"',
    4096,
  ),
  ETag: text(
    "Identifies the current state of the resource, for If-Match and If-None-Match.",
    '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
    128,
  ),
  "Last-Modified": text("When the resource changed last.", "Sun, 22 Nov 2026 10:00:00 GMT", 64),
  Location: text("The path of what was created.", "/v1/tenant/sites/eu", 1024),
  "RateLimit-Policy": text(
    "The limit that applies: requests (q) per seconds (w).",
    '"key";q=600;w=60',
  ),
  RateLimit: text(
    "Requests that are left (r), and seconds until the window ends (t).",
    '"key";r=599;t=60',
  ),
  "Retry-After": {
    description: "Seconds to wait before the request is sent again.",
    schema: { type: "integer", minimum: 0, maximum: 86_400, format: "int32" },
    example: 2,
  },
  "WWW-Authenticate": text(
    "The schemes that the operation accepts.",
    'ApiKey realm="gatehouse"',
    512,
  ),
  Allow: text("The methods that the path has.", "GET, HEAD, PUT, OPTIONS", 128),
  Deprecation: text("Since when the credential is deprecated here (RFC 9745).", "@1795132800", 32),
  Sunset: text(
    "When the credential stops working here (RFC 8594).",
    "Sat, 20 Nov 2027 00:00:00 GMT",
    64,
  ),
  "Idempotency-Replayed": {
    description:
      "`true` where this is the stored response to an earlier request with the same key.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "X-Service-API-Key-Expires": {
    description: "When the API key expires; sent in its last 14 days.",
    schema: { type: "string", format: "date-time", maxLength: 64 },
    example: "2026-12-31T23:59:59.000Z",
  },
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof descriptions;

export const headerComponents = (): Json => ({ ...descriptions });

export const headerReferences = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const limits: HeaderName[] = ["RateLimit-Policy", "RateLimit"];

const isPaged = (parameters: readonly string[]) =>
  parameters.includes("cursor") || parameters.includes("after");

/** The headers of a successful response in addition to its body. */
export function headersOfSuccess(declared: Endpoint, parameters: readonly string[]): HeaderName[] {
  const { credentials, conditional, deprecatedCredential, status } = declared;
  const isLimited =
    declared.limits.address !== undefined || credentials.some((kind) => kind !== "anonymous");
  const hasTag = conditional !== undefined && methodOf(declared) !== "DELETE";
  return [
    "X-Service-Request-Id",
    ...(isLimited ? limits : []),
    ...(isPaged(parameters) || deprecatedCredential ? (["Link"] as const) : []),
    ...(hasTag ? (["ETag"] as const) : []),
    ...(hasTag && conditional === "tag-and-time" ? (["Last-Modified"] as const) : []),
    ...(status === 201 ? (["Location"] as const) : []),
    ...(deprecatedCredential ? (["Deprecation", "Sunset"] as const) : []),
    ...(isRepeatable(declared) ? (["Idempotency-Replayed"] as const) : []),
    ...(credentials.includes("apiKey") ? (["X-Service-API-Key-Expires"] as const) : []),
  ];
}

/** The additional headers of an error with this status. */
const ofError: Partial<Record<number, HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  405: ["Allow"],
  412: ["ETag"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The headers of an error; those of the rate limit only if the request was counted before it failed. */
export const headersOfError = (status: number): HeaderName[] => [
  "X-Service-Request-Id",
  ...(ofError[status] ?? []),
  ...(status < 500 ? limits : []),
];
