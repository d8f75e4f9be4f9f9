import { FastResponse } from "srvx/node";
import { type Endpoint, pathOf } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { readFrame } from "@/lib/protocol/parameters";
import { preflight } from "./cors";
import { failure, requestIdOf } from "./failure";
import { isForPages, openToPage } from "./identify-shopper";
import { finishHere } from "./report-completion";

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Answering = (request: Request) => Promise<Response>;
/** A handler made by `route()` knows its declaration; a document has none. */
type Bound = Answering & { endpoint?: Endpoint };

const verbs: Verb[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Runs GET and keeps all but the body. */
async function head(get: Bound, request: Request): Promise<Response> {
  const response = await get(request);
  const { status, headers } = response;
  if (get.endpoint || status !== 200) await response.body?.cancel();
  else headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new FastResponse(null, { status, headers });
}

/** Answers of no operation are calls as well; those of a document are none. */
function told(template: string | undefined, answer: Bound): Bound {
  return async (request) => {
    const startedAt = performance.now();
    return finishHere(request, template, await answer(request), startedAt);
  };
}

/**
 * All methods of one path, those it does not have included: Next would answer these itself, with the wrong Allow.
 * A missing tenant header is told before the wrong method, as the contract orders.
 */
export function methods(
  handlers: Partial<Record<Verb, Bound>>,
): Record<Verb | "HEAD" | "OPTIONS", Bound> {
  const present = verbs.filter((verb) => handlers[verb]);
  const allow = present
    .flatMap((verb): string[] => (verb === "GET" ? ["GET", "HEAD"] : [verb]))
    .concat("OPTIONS")
    .join(", ");
  const endpoints = present.flatMap((verb) => handlers[verb]?.endpoint ?? []);
  const frame = {
    needsTenant: endpoints.length > 0 && endpoints.every((declared) => declared.needsTenant),
    needsSite: endpoints.length > 0 && endpoints.every((declared) => declared.needsSite),
  };

  const isConsumer = endpoints.some((declared) => declared.plane === "consumer");

  const refuse: Bound = async (request) => {
    const headers: Record<string, string> = {};
    if (isConsumer) openToPage(request, headers);
    try {
      readFrame(request.headers, frame);
      throw new ApiError(
        "request.method-not-allowed",
        `${request.method} is not supported here. Use ${allow}.`,
        allow,
        {
          headers: { Allow: allow },
        },
      );
    } catch (error) {
      return failure(error, request, { headers });
    }
  };
  const options: Bound = async (request) => {
    const own = isConsumer ? preflight(request, allow) : {};
    const headers = {
      Allow: allow,
      "Cache-Control": "no-store",
      "X-Service-Request-Id": requestIdOf(request.headers),
      ...own,
    };
    return new FastResponse(null, { status: 204, headers });
  };
  const [first] = endpoints;
  const of = (answer: Bound) => (first ? told(pathOf(first), answer) : answer);
  const refused = of(refuse);
  const get = handlers.GET;
  return {
    GET: get ?? refused,
    HEAD: get ? (request) => head(get, request) : refused,
    POST: handlers.POST ?? refused,
    PUT: handlers.PUT ?? refused,
    PATCH: handlers.PATCH ?? refused,
    DELETE: handlers.DELETE ?? refused,
    OPTIONS: of(options),
  };
}

/** Every method of a path that does not exist answers 404 in JSON. */
export function nothing(): Record<Verb | "HEAD" | "OPTIONS", Bound> {
  const answer = told(undefined, async (request) => {
    const { pathname } = new URL(request.url);
    const headers: Record<string, string> = {};
    if (isForPages(pathname)) openToPage(request, headers);
    return failure(new ApiError("request.not-found", `There is nothing at ${pathname}.`), request, {
      headers,
    });
  });
  return {
    GET: answer,
    HEAD: answer,
    POST: answer,
    PUT: answer,
    PATCH: answer,
    DELETE: answer,
    OPTIONS: answer,
  };
}
