import type { Verdict } from "./client.js";
import type { Verifier, VerifierRequest } from "./verifier.js";

/** What a request needs to be let through. */
export interface Requirement extends Pick<VerifierRequest, "permission" | "site" | "operation"> {
  /** The name of a header that holds the site, instead of `site`. */
  siteHeader?: string | undefined;
}

/** A response to a request that is not let through. */
export interface Rejection {
  status: 401 | 403 | 429 | 503;
  headers: Record<string, string>;
  body: { code: string; detail: string };
}

type ReadHeader = (name: string) => string | undefined;

/** The credential of a request, in the headers that Gatehouse itself reads; a bearer may be an API key too. */
export function credentialOf(
  read: ReadHeader,
): Pick<VerifierRequest, "apiKey" | "sessionId" | "token"> | undefined {
  const apiKey = read("x-service-api-key");
  if (apiKey) return { apiKey };
  const sessionId = read("x-service-session-id");
  if (sessionId) return { sessionId };
  const token = /^Bearer +([^ ]+)$/i.exec(read("authorization") ?? "")?.[1];
  if (!token) return undefined;
  return token.startsWith("svk_") ? { apiKey: token } : { token };
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

/** Verifies the credential of a request: what is known of it, or how to reject the request. */
export async function admit(
  verifier: Verifier,
  { siteHeader, ...requirement }: Requirement,
  read: ReadHeader,
  address?: string,
): Promise<{ verdict: Readonly<Verdict> } | { rejection: Rejection }> {
  const credential = credentialOf(read);
  if (!credential)
    return { rejection: reject(401, "MISSING", "No credential was sent.", challenge) };
  const site = siteHeader === undefined ? requirement.site : read(siteHeader);
  const purpose = { ...requirement, site, address };
  const given = Object.fromEntries(Object.entries(purpose).filter(([, value]) => value));
  try {
    const verdict = await verifier.verify({ ...given, ...credential });
    return verdict.active ? { verdict } : { rejection: rejectionOf(verdict) };
  } catch {
    const detail = "Credentials cannot be verified now.";
    return { rejection: reject(503, "UNAVAILABLE", detail, { "Retry-After": "1" }) };
  }
}

/** What these functions read of a request of Node, Express and Fastify. */
interface IncomingLike {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket?: { remoteAddress?: string | undefined };
  /** Set by Express and Fastify, which know the proxies before them. */
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

/** Where `expressMiddleware` and `fastifyHook` leave what is known of the caller. */
export interface Verified {
  gatehouse?: Readonly<Verdict>;
}

const admitIncoming = (verifier: Verifier, requirement: Requirement, request: IncomingLike) => {
  const read: ReadHeader = (name) => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
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
  handle: (request: Incoming, response: Outgoing, caller: Readonly<Verdict>) => unknown,
): (request: Incoming, response: Outgoing) => Promise<void> {
  return async (request, response) => {
    const admitted = await admitIncoming(verifier, requirement, request);
    if ("rejection" in admitted) answer(response, admitted.rejection);
    else await handle(request, response, admitted.verdict);
  };
}

/**
 * Middleware of Express and of what takes its handlers: `request.gatehouse` is what is known of the caller.
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
 * A hook of Fastify: `request.gatehouse` is what is known of the caller.
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
 * A handler of web requests, as Next's route handlers, workers, Deno and Bun have them. `addressOf` says where a request came
 * from, which keys with allowed addresses need: the platform knows, the request does not.
 *
 * @example
 * export const GET = webHandler(verifier, { permission: "order.manage" }, (request, caller) => Response.json(...));
 */
export function webHandler<Given extends unknown[]>(
  verifier: Verifier,
  { addressOf, ...requirement }: Requirement & { addressOf?: (request: Request) => string },
  handle: (
    request: Request,
    caller: Readonly<Verdict>,
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
