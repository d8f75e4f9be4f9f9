import type { Credential } from "./endpoint";
import { ApiError } from "./errors";

/** The same for people. */
export const bearerDeprecationNote = "deprecated here, accepted until 20 November 2027";

/** The headers of responses to a deprecated management bearer (RFC 9745, RFC 8594), errors too. */
export const bearerDeprecation = {
  Deprecation: "@1795132800",
  Sunset: "Sat, 20 Nov 2027 00:00:00 GMT",
  Link: '</docs/put-pim-preview-key-configuration#call>; rel="deprecation"; type="text/html"',
};

type HeaderReader = Pick<Headers, "get">;

interface Range {
  type: string;
  subtype: string;
  quality: number;
}

function parseAccept(accept: string): Range[] {
  return accept.split(",").flatMap((part) => {
    const [media = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const [type, subtype] = media.split("/");
    if (!type || !subtype) return [];
    const quality = Number(
      parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1,
    );
    return [{ type, subtype, quality: Number.isNaN(quality) ? 0 : quality }];
  });
}

/** The quality of a media type by the most specific matching range, 0 without a match. */
function qualityOf(ranges: Range[], mediaType: string): number {
  const [type, subtype] = mediaType.split("/");
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const family = ranges.find((range) => range.type === type && range.subtype === "*");
  return (
    (exact ?? family ?? ranges.find((range) => range.type === "*" && range.subtype === "*"))
      ?.quality ?? 0
  );
}

/**
 * The media type of the response, of those that the operation produces. A caller that accepts only problem+json still gets JSON.
 * Throws 406.
 */
export function negotiate(accept: string | null, produces: readonly string[]): string {
  const [first = "application/json"] = produces;
  if (!accept || accept === "*/*" || accept === first) return first;
  const ranges = parseAccept(accept);
  const best =
    [...produces].sort((a, b) => qualityOf(ranges, b) - qualityOf(ranges, a))[0] ?? first;
  const namesProblem = ranges.some(
    (range) => range.subtype === "problem+json" && range.quality > 0,
  );
  if (qualityOf(ranges, best) > 0 || namesProblem) return best;
  throw new ApiError(
    "request.not-acceptable",
    `This operation answers ${produces.join(" or ")}. Accept that.`,
    produces.join(","),
  );
}

/** Whether the caller names a media type and wants it no less than another one. */
export function prefers(accept: string | undefined, wanted: string, other: string): boolean {
  if (!accept?.toLowerCase().includes(wanted)) return false;
  const ranges = parseAccept(accept);
  const quality = qualityOf(ranges, wanted);
  return quality > 0 && quality >= qualityOf(ranges, other);
}

const encodings = ["br", "gzip", "identity"] as const;

/** The content coding of the response: the smallest that the caller accepts. */
export function negotiateEncoding(accept: string | null): (typeof encodings)[number] {
  const codings = new Map(
    (accept ?? "").split(",").map((part): [string, number] => {
      const [name = "", quality = ""] = part.toLowerCase().replaceAll(" ", "").split(";q=");
      return [name, quality === "" ? 1 : Number(quality) || 0];
    }),
  );
  const qualityOfCoding = (name: string) => codings.get(name) ?? codings.get("*") ?? 0;
  return encodings.find((name) => qualityOfCoding(name) > 0) ?? "identity";
}

/** Whether errors are sent as problem+json: it is in Accept, and no less preferred than JSON if that is there too. */
export function wantsProblem(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes("problem+json")) return false;
  const ranges = parseAccept(accept);
  const named = (subtype: string) =>
    ranges.find((range) => range.type === "application" && range.subtype === subtype)?.quality ?? 0;
  return named("problem+json") > 0 && named("problem+json") >= named("json");
}

const unsupported = (detail: string, reason: string) =>
  new ApiError("request.unsupported-media-type", detail, reason);

/** Throws 415 for a compressed body. */
function requireNoEncoding(headers: HeaderReader): void {
  const encoding = headers.get("content-encoding");
  if (encoding && encoding.trim().toLowerCase() !== "identity") {
    throw unsupported("Send the body without Content-Encoding.", "Content-Encoding");
  }
}

/** The media type of the body; "" for one whose charset is not UTF-8. */
function mediaTypeOf(headers: HeaderReader): string {
  const [media = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  const isUtf8 = charset === undefined || charset === "utf-8" || charset === "utf8";
  return isUtf8 ? media : "";
}

/** Throws 415 unless the body is unencoded and of the operation's media type; a PATCH accepts a merge patch too. */
export function requireMediaType(headers: HeaderReader, wanted: string, method = "POST"): void {
  requireNoEncoding(headers);
  const media = mediaTypeOf(headers);
  const isPatch =
    wanted === "application/json" && method === "PATCH" && media === "application/merge-patch+json";
  if (media !== wanted && !isPatch)
    throw unsupported(`Send the body as ${wanted} in UTF-8.`, wanted);
}

/** A PUT replaces the whole: a part must not be mistaken for it (RFC 9110, 14.5). Throws 400. */
export function rejectPartialPut(headers: HeaderReader, method: string): void {
  if (method !== "PUT" || headers.get("content-range") === null) return;
  throw new ApiError(
    "request.header-invalid",
    "Send the whole body without Content-Range: no part can be replaced.",
    "Content-Range",
  );
}

const schemes: Record<Credential, string> = {
  session: "Session",
  apiKey: "ApiKey",
  bearer: "Bearer",
  anonymous: "Bearer",
  customer: "Bearer",
  share: "PreviewShare",
};

type Scheme = "Session" | "ApiKey" | "Bearer" | "PreviewShare";

const challengeText = (scheme: string, error?: "invalid_token") =>
  `${scheme} realm="gatehouse"${error === undefined ? "" : `, error="${error}"`}`;

/** The header WWW-Authenticate (RFC 9110, 11.6.1) for one scheme; `error` is from RFC 6750, 3.1. */
export const challenge = (scheme: Scheme, error?: "invalid_token") => ({
  "WWW-Authenticate": challengeText(scheme, error),
});

/** For a session, or a bearer of one, whose authentication is too old (RFC 9470, 3). */
export const stepUpChallenge = (kind: "session" | "bearer", maxAgeSeconds: number) => ({
  "WWW-Authenticate": `${schemes[kind]} realm="gatehouse", error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`,
});

/** WWW-Authenticate: the schemes that an operation accepts, each once. */
export function challengeFor(credentials: readonly Credential[]): string {
  return [...new Set(credentials.map((kind) => challengeText(schemes[kind])))].join(", ");
}

/** For an expired credential: a token or session is renewed, a key is not. */
export function expiredChallenge(kind: Credential): string {
  return challengeText(schemes[kind], kind === "apiKey" ? undefined : "invalid_token");
}

const ownScheme = /^bearer(?:[ \t]+|$)/i;
/** Another scheme: its name with parameters, or only its name. */
const otherScheme = /[ \t]|^[a-z][a-z-]{0,31}$/i;

/**
 * The token in Authorization: after `Bearer`, or bare. Other schemes are ignored: a proxy with password authentication
 * passes `Basic` on with every request, which must not invalidate a key, a session or the cookie.
 */
export function bearerOf(headers: Pick<Headers, "get">): string | undefined {
  const given = headers.get("authorization")?.trim();
  if (!given) return undefined;
  if (ownScheme.test(given)) return given.replace(ownScheme, "");
  return otherScheme.test(given) ? undefined : given;
}
