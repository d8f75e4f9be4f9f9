import { reportCompletedRequest } from "./completed-request";
import { isRequestContext, type RequestContext, requestContextOf } from "./request-context";

/** A bound handler. The server passes the context it created; Next passes its own. */
export type Respond = (request: Request, context?: unknown) => Promise<Response>;

/** Creates the context where no server did, as in development, and then also reports the completed request. */
export function withRequestContext(
  template: string | undefined,
  respond: (request: Request, context: RequestContext) => Promise<Response>,
): Respond {
  return async (request, given) => {
    if (isRequestContext(given)) return respond(request, given);
    const context = requestContextOf(request);
    const response = await respond(request, context);
    const durationMs = performance.now() - context.startedAt;
    const { method } = request;
    const { status } = response;
    reportCompletedRequest({ request, context, method, template, status, durationMs });
    return response;
  };
}

/** The same for documents, whose requests are not reported. */
export function withUnreportedContext(
  respond: (request: Request, context: RequestContext) => Promise<Response>,
): Respond {
  return (request, given) =>
    respond(request, isRequestContext(given) ? given : requestContextOf(request));
}
