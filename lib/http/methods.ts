import { FastResponse } from "srvx/node";
import { type Endpoint, pathOf } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { readFrame } from "@/lib/protocol/parameters";
import { preflight } from "./cors";
import { errorResponse } from "./error-response";
import { isForPages, openToPage } from "./identify";
import {
  type RequestContext,
  type Respond,
  setResponseHeaders,
  withRequestContext,
  withUnreportedContext,
} from "./request-context";

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** A handler created by `route()` knows its declaration; a document has none. */
type Bound = Respond & { endpoint?: Endpoint };
type Answer = (request: Request, context: RequestContext) => Promise<Response>;

const verbs: Verb[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Runs GET and omits the body. */
async function head(get: Bound, request: Request, context: unknown): Promise<Response> {
  const response = await get(request, context);
  const { status, headers } = response;
  if (get.endpoint || status !== 200) await response.body?.cancel();
  else headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new FastResponse(null, { status, headers });
}

/** The common properties of the methods of one path. */
interface Path {
  allow: string;
  isConsumer: boolean;
  frame: Pick<Endpoint, "scope">;
}

function describePath(present: Verb[], endpoints: Endpoint[]): Path {
  const allow = present
    .flatMap((verb): string[] => (verb === "GET" ? ["GET", "HEAD"] : [verb]))
    .concat("OPTIONS")
    .join(", ");
  const scopes = new Set(endpoints.map(({ scope }) => scope));
  const shared = scopes.has("none") || scopes.size === 0 ? "none" : "tenant";
  const scope = scopes.size === 1 && scopes.has("site") ? "site" : shared;
  return {
    allow,
    frame: { scope },
    isConsumer: endpoints.some(({ plane }) => plane === "consumer"),
  };
}

/** 405; but a missing tenant header is reported before the wrong method, as the contract orders. */
const methodNotAllowed =
  ({ allow, frame, isConsumer }: Path): Answer =>
  async (request, context) => {
    if (isConsumer) openToPage(request, context);
    try {
      readFrame(request.headers, frame);
      const detail = `${request.method} is not supported here. Use ${allow}.`;
      const headers = { Allow: allow };
      throw new ApiError("request.method-not-allowed", detail, allow, { headers });
    } catch (error) {
      return errorResponse(error, request, context);
    }
  };

const options =
  ({ allow, isConsumer }: Path): Answer =>
  async (request, context) => {
    setResponseHeaders(context, { Allow: allow, "Cache-Control": "no-store" });
    if (isConsumer) setResponseHeaders(context, preflight(request, allow));
    return new FastResponse(null, { status: 204, headers: context.responseHeaders });
  };

/**
 * All methods of one path, including unsupported ones, which Next would answer itself, with the wrong Allow.
 * Requests for operations are reported, whatever the method; those for documents are not.
 */
export function methods(
  handlers: Partial<Record<Verb, Bound>>,
): Record<Verb | "HEAD" | "OPTIONS", Bound> {
  const present = verbs.filter((verb) => handlers[verb]);
  const endpoints = present.flatMap((verb) => handlers[verb]?.endpoint ?? []);
  const path = describePath(present, endpoints);
  const [first] = endpoints;
  const bind = (respond: Answer): Bound =>
    first ? withRequestContext(pathOf(first), respond) : withUnreportedContext(respond);
  const rejected = bind(methodNotAllowed(path));
  const get = handlers.GET;
  return {
    GET: get ?? rejected,
    HEAD: get ? (request, context) => head(get, request, context) : rejected,
    POST: handlers.POST ?? rejected,
    PUT: handlers.PUT ?? rejected,
    PATCH: handlers.PATCH ?? rejected,
    DELETE: handlers.DELETE ?? rejected,
    OPTIONS: bind(options(path)),
  };
}

/** Every method of a path that does not exist answers 404 in JSON. */
export function nothing(): Record<Verb | "HEAD" | "OPTIONS", Bound> {
  const respond = withRequestContext(undefined, async (request, context) => {
    const { pathname } = new URL(request.url);
    if (isForPages(pathname)) openToPage(request, context);
    const error = new ApiError("request.not-found", `There is nothing at ${pathname}.`);
    return errorResponse(error, request, context);
  });
  return {
    GET: respond,
    HEAD: respond,
    POST: respond,
    PUT: respond,
    PATCH: respond,
    DELETE: respond,
    OPTIONS: respond,
  };
}
