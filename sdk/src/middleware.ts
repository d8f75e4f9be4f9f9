import type { Verdict } from "./client.js";
import type { Verifier, VerifierRequest } from "./verifier.js";

/** The place where the permission must apply. It is explicit, so that a site's permission never counts for the whole tenant by accident. */
type Place =
  /** At this site. */
  | { site: string; siteHeader?: never; wholeTenant?: never }
  /** At the site in this header of the request, or in the whole tenant without the header. `site` of the caller is the site. */
  | { siteHeader: string; site?: never; wholeTenant?: never }
  /** In the whole tenant. */
  | { wholeTenant: true; site?: never; siteHeader?: never };

/** The requirement for a request to pass. */
export type Requirement = Pick<VerifierRequest, "permission" | "operation"> & Place;

/** The caller of a request that passed. */
export interface VerifiedCaller extends Verdict {
  /** The verified site; undefined when the whole tenant was verified. */
  site: string | undefined;
}

/** The response to a rejected request. */
export interface Rejection {
  status: 400 | 401 | 403 | 429 | 503;
  headers: Record<string, string>;
  body: { code: string; detail: string };
}

type ReadHeader = (name: string) => string | undefined;

type Presented = Pick<VerifierRequest, "apiKey" | "sessionId" | "token">;

/** The values of a header. A header sent twice arrives as one text with commas, which no credential contains. */
const valuesOf = (text = ""): string[] => [
  ...new Set(text.split(",").flatMap((value) => value.trim() || [])),
];

/** The bearers of a request: in `Authorization` only `Bearer` and a bare token count, other schemes are ignored. */
const bearersOf = (authorization: string | undefined): string[] =>
  valuesOf(authorization).flatMap((value) => {
    const token = /^bearer +(.*)/i.exec(value)?.[1] ?? value;
    return token === value && value.includes(" ") ? [] : [token];
  });

/**
 * The credential of a request, from the same headers that Gatehouse reads; a bearer may also be an API key. "ambiguous" for more than one,
 * as the service answers 400: a service that checks one and forwards the other would admit a caller it never checked.
 */
export function credentialOf(read: ReadHeader): Presented | "ambiguous" | undefined {
  const found: Presented[] = [
    ...valuesOf(read("x-service-api-key")).map((apiKey) => ({ apiKey })),
    ...valuesOf(read("x-service-session-id")).map((sessionId) => ({ sessionId })),
    ...bearersOf(read("authorization")).map((token) =>
      token.startsWith("svk_") ? { apiKey: token } : { token },
    ),
  ];
  return found.length > 1 ? "ambiguous" : found[0];
}

const reject = (
  status: Rejection["status"],
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Rejection => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: { code, detail },
});

const challenge = { "WWW-Authenticate": "Bearer" };

function rejectionOf({ code, rateLimit }: Verdict): Rejection {
  if (code === "RATE_LIMITED") {
    const seconds = Math.max(1, Math.ceil((rateLimit?.resetMs ?? 1000) / 1000));
    const detail = "The credential has used up its rate limit.";
    return reject(429, code, detail, { "Retry-After": String(seconds) });
  }
  return ["INSUFFICIENT_PERMISSION", "WRONG_SITE", "WRONG_ADDRESS"].includes(code)
    ? reject(403, code, "The credential does not allow this.")
    : reject(401, code, "The credential does not work.", challenge);
}

/** Verifies the credential of a request: returns the caller, or the response that rejects the request. */
export async function admit(
  verifier: Verifier,
  requirement: Requirement,
  read: ReadHeader,
  address?: string,
): Promise<{ verdict: Readonly<VerifiedCaller> } | { rejection: Rejection }> {
  const credential = credentialOf(read);
  if (!credential)
    return { rejection: reject(401, "MISSING", "No credential was sent.", challenge) };
  if (credential === "ambiguous")
    return { rejection: reject(400, "AMBIGUOUS", "Two credentials were sent. Send one of them.") };
  const { permission, operation, siteHeader } = requirement;
  const site =
    (siteHeader === undefined ? requirement.site : read(siteHeader)?.trim()) || undefined;
  const purpose = { permission, operation, address };
  const given = Object.fromEntries(Object.entries(purpose).filter(([, value]) => value));
  const place = site === undefined ? ({ wholeTenant: true } as const) : { site };
  try {
    const verdict = await verifier.verify({ ...given, ...place, ...credential });
    return verdict.active ? { verdict: { ...verdict, site } } : { rejection: rejectionOf(verdict) };
  } catch {
    const detail = "Credentials cannot be verified now.";
    return { rejection: reject(503, "UNAVAILABLE", detail, { "Retry-After": "1" }) };
  }
}

/** The part of a request of Node, Express and Fastify that these functions read. */
interface IncomingLike {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Every value of each header, from Node: `headers` itself drops a second Authorization. */
  headersDistinct?: Readonly<Record<string, string[] | undefined>> | undefined;
  /** Fastify's own request wraps that of Node. */
  raw?: Pick<IncomingLike, "headersDistinct">;
  socket?: { remoteAddress?: string | undefined };
  /** Set by Express and Fastify according to their proxy settings. */
  ip?: string | undefined;
}

interface ServerResponseLike {
  writeHead(status: number, headers: Record<string, string>): { end(text: string): unknown };
}

interface ReplyLike {
  code(status: number): ReplyLike;
  headers(values: Record<string, string>): ReplyLike;
  send(body: unknown): unknown;
}

/** The property in which `expressMiddleware` and `fastifyHook` store the caller. */
export interface Verified {
  gatehouse?: Readonly<VerifiedCaller>;
}

const admitIncoming = (verifier: Verifier, requirement: Requirement, request: IncomingLike) => {
  const read: ReadHeader = (name) => {
    const lower = name.toLowerCase();
    const distinct = request.headersDistinct ?? request.raw?.headersDistinct;
    const value = distinct?.[lower] ?? request.headers[lower];
    return Array.isArray(value) ? value.join(",") : value;
  };
  return admit(verifier, requirement, read, request.ip ?? request.socket?.remoteAddress);
};

const answer = (response: ServerResponseLike, { status, headers, body }: Rejection): void => {
  response.writeHead(status, headers).end(JSON.stringify(body));
};

/**
 * A handler of Node's http that lets verified requests through.
 *
 * @example
 * createServer(nodeHandler(verifier, { permission: "order.manage" }, (request, response, caller) => ...));
 */
export function nodeHandler<Incoming extends IncomingLike, Outgoing extends ServerResponseLike>(
  verifier: Verifier,
  requirement: Requirement,
  handle: (request: Incoming, response: Outgoing, caller: Readonly<VerifiedCaller>) => unknown,
): (request: Incoming, response: Outgoing) => Promise<void> {
  return async (request, response) => {
    const admitted = await admitIncoming(verifier, requirement, request);
    if ("rejection" in admitted) answer(response, admitted.rejection);
    else await handle(request, response, admitted.verdict);
  };
}

/**
 * Middleware for Express and compatible frameworks: `request.gatehouse` is the verified caller.
 *
 * @example
 * app.use("/orders", expressMiddleware(verifier, { permission: "order.manage" }));
 */
export function expressMiddleware(verifier: Verifier, requirement: Requirement) {
  return async (
    request: IncomingLike & Verified,
    response: ServerResponseLike,
    next: () => void,
  ): Promise<void> => {
    const admitted = await admitIncoming(verifier, requirement, request);
    if ("rejection" in admitted) {
      answer(response, admitted.rejection);
      return;
    }
    request.gatehouse = admitted.verdict;
    next();
  };
}

/**
 * A hook of Fastify: `request.gatehouse` is the verified caller.
 *
 * @example
 * fastify.addHook("onRequest", fastifyHook(verifier, { permission: "order.manage" }));
 */
export function fastifyHook(verifier: Verifier, requirement: Requirement) {
  return async (request: IncomingLike & Verified, reply: ReplyLike): Promise<unknown> => {
    const admitted = await admitIncoming(verifier, requirement, request);
    if ("verdict" in admitted) {
      request.gatehouse = admitted.verdict;
      return undefined;
    }
    const { status, headers, body } = admitted.rejection;
    return reply.code(status).headers(headers).send(body);
  };
}

/**
 * A handler of web requests, for Next's route handlers, workers, Deno and Bun. `addressOf`
 * returns the client address, which keys with allowed addresses need: the platform knows it, the request does not.
 *
 * @example
 * export const GET = webHandler(verifier, { permission: "order.manage" }, (request, caller) => Response.json(...));
 */
export function webHandler<Given extends unknown[]>(
  verifier: Verifier,
  { addressOf, ...requirement }: Requirement & { addressOf?: (request: Request) => string },
  handle: (
    request: Request,
    caller: Readonly<VerifiedCaller>,
    ...given: Given
  ) => Response | Promise<Response>,
): (request: Request, ...given: Given) => Promise<Response> {
  return async (request, ...given) => {
    const read: ReadHeader = (name) => request.headers.get(name) ?? undefined;
    const admitted = await admit(verifier, requirement, read, addressOf?.(request));
    if ("verdict" in admitted) return handle(request, admitted.verdict, ...given);
    const { status, headers, body } = admitted.rejection;
    return new Response(JSON.stringify(body), { status, headers });
  };
}
