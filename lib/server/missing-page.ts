import type { IncomingMessage, ServerResponse } from "node:http";
import { errorResponse } from "@/lib/http/error-response";
import { createRequestContext } from "@/lib/http/request-context";
import { ApiError } from "@/lib/protocol/errors";
import { cut } from "@/lib/protocol/text";
import { wantsHtml } from "./reject-page";

/** Next's own requests and its files know what to do with its page; whatever else asks for no HTML is a program. */
const isProgram = (req: IncomingMessage) =>
  !wantsHtml(req) && !req.headers.rsc && !req.headers["next-router-state-tree"];

const isMissingPage = (res: ServerResponse) =>
  res.statusCode === 404 && /^text\/html\b/.test(String(res.getHeader("content-type") ?? ""));

/** Headers that describe the page and not the response that takes its place. */
const ofPage = /^(?:content-|etag$|cache-control$|link$|vary$|x-nextjs-|x-powered-by$|set-cookie$)/;

const nothing = { write: () => true, flushHeaders: () => undefined };

/**
 * Gives programs the error body where the pages would answer 404 with HTML: the pages alone know which paths they have, so their
 * response is replaced when its first byte is written.
 */
export function answerProgramsInJson(req: IncomingMessage, res: ServerResponse): void {
  if (!isProgram(req)) return;
  // Compressed pages send their headers before their first byte comes by here.
  delete req.headers["accept-encoding"];
  const { write, end, flushHeaders } = res;
  let isReplaced = false;
  const replace = (): boolean => {
    if (isReplaced || res.headersSent || !isMissingPage(res)) return isReplaced;
    isReplaced = true;
    // What the page still writes goes nowhere.
    Object.assign(res, nothing, { end: () => res });
    void sendNothingThere(req, res, (body) => end.call(res, body, "utf8"));
    return true;
  };
  Object.assign(res, {
    write: (...given: Parameters<typeof write>) => replace() || write.apply(res, given),
    end: (...given: Parameters<typeof end>) => (replace() ? res : end.apply(res, given)),
    flushHeaders: () => {
      if (!replace()) flushHeaders.call(res);
    },
  });
}

async function sendNothingThere(
  req: IncomingMessage,
  res: ServerResponse,
  end: (body: string) => unknown,
): Promise<void> {
  const [path = ""] = (req.url ?? "").split("?");
  const error = new ApiError("request.not-found", `There is nothing at ${cut(path, 100)}.`);
  const requestId = String(req.headers["x-service-request-id"] ?? "");
  const response = errorResponse(
    error,
    { method: "GET", headers: new Headers({ Accept: req.headers.accept ?? "*/*" }) },
    createRequestContext({ requestId, address: "", agent: "" }),
  );
  for (const name of res.getHeaderNames()) if (ofPage.test(name)) res.removeHeader(name);
  for (const [name, value] of response.headers) res.setHeader(name, value);
  const body = await response.text();
  end(req.method === "HEAD" ? "" : body);
}
