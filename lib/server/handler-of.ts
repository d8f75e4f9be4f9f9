import { errorResponse } from "@/lib/http/error-response";
import { withoutAddedHeaders } from "@/lib/http/request-context";
import { withUnreportedContext } from "@/lib/http/with-request-context";
import { ApiError } from "@/lib/protocol/errors";
import { type Handler, type Handlers, isMethod } from "./routes";

/** Node's parser reads methods that no operation has; the resource itself knows which ones it has. */
function methodNotAllowed(method: string | undefined, handlers: Handlers): Handler {
  return withUnreportedContext(async (request, context) => {
    const options = await handlers.OPTIONS(request, withoutAddedHeaders(context));
    const allow = options.headers.get("allow");
    if (allow === null) return options;
    return errorResponse(
      new ApiError(
        "request.method-not-allowed",
        `The resource does not support ${method}.`,
        allow,
        { headers: { Allow: allow } },
      ),
      request,
      context,
    );
  });
}

/** What answers a method of a resource. */
export const handlerOf = (method: string | undefined, handlers: Handlers): Handler =>
  isMethod(method) ? handlers[method] : methodNotAllowed(method, handlers);
