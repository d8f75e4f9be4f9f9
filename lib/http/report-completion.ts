import { finish } from "./completed-request";
import { isOfExchange } from "./request-caller";

/** Where no front door answers, as in development, an answered request is told here. */
export function finishHere(
  request: Request,
  template: string | undefined,
  response: Response,
  startedAt: number,
): Response {
  if (isOfExchange(request)) return response;
  const requestId = response.headers.get("x-service-request-id") ?? "";
  finish({
    request,
    requestId,
    method: request.method,
    template,
    status: response.status,
    durationMs: performance.now() - startedAt,
  });
  return response;
}
