import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { storeFailure } from "@/lib/database/failures";
import { takePageStatus } from "@/lib/features/portal/page-status";
import { asApiError, errorResponse } from "@/lib/http/error-response";
import { createRequestContext } from "@/lib/http/request-context";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { cut } from "@/lib/protocol/text";
import { pageRejection, wantsHtml } from "./reject-page";

/** The store errors of failed pages, by the ids of their requests. */
const failures = perProcess("failed-pages", () => ({
  byRequest: new LRUCache<string, Error>({ max: 1000 }),
}));

/** Call when the rendering of a page fails: a store error gets the same response as from an operation. */
export function noteFailedPage(error: unknown, requestId: string | undefined): void {
  if (requestId === undefined || !(error instanceof Error)) return;
  if (storeFailure(error) !== undefined) failures().byRequest.set(requestId, error);
}

const requestIdOf = (req: IncomingMessage) => String(req.headers["x-service-request-id"] ?? "");

/**
 * Sets the status of a page that noted one, such as 404. Next's router reloads the whole document for any status but 200, so its
 * requests keep 200.
 */
function setStatus(req: IncomingMessage, res: ServerResponse): void {
  const status = takePageStatus(requestIdOf(req));
  if (status !== undefined && req.headers.rsc === undefined && res.statusCode === 200)
    res.statusCode = status;
}

/** Next's own requests and files can handle its page; any other request that does not accept HTML is a program's. */
const isProgram = (req: IncomingMessage) =>
  !wantsHtml(req) && !req.headers.rsc && !req.headers["next-router-state-tree"];

const isMissingPage = (res: ServerResponse) =>
  res.statusCode === 404 && /^text\/html\b/.test(String(res.getHeader("content-type") ?? ""));

function nothingThere(req: IncomingMessage): Response {
  const [path = ""] = (req.url ?? "").split("?");
  const error = new ApiError("request.not-found", `There is nothing at ${cut(path, 100)}.`);
  return errorResponse(
    error,
    { method: "GET", headers: new Headers({ Accept: req.headers.accept ?? "*/*" }) },
    createRequestContext({ requestId: requestIdOf(req), address: "", agent: "" }),
  );
}

/** What is sent instead of the page, if anything. */
function replacement(req: IncomingMessage, res: ServerResponse): Response | undefined {
  const requestId = requestIdOf(req);
  const failure = failures().byRequest.get(requestId);
  if (failure) return pageRejection(req, asApiError(failure, requestId));
  return isProgram(req) && isMissingPage(res) ? nothingThere(req) : undefined;
}

/** Headers that describe the page and not its replacement. */
const ofPage = /^(?:content-|etag$|cache-control$|link$|vary$|x-nextjs-|x-powered-by$|set-cookie$)/;

async function send(
  response: Response,
  req: IncomingMessage,
  res: ServerResponse,
  end: (body: string) => unknown,
): Promise<void> {
  const body = await response.text();
  for (const name of res.getHeaderNames()) if (ofPage.test(name)) res.removeHeader(name);
  for (const [name, value] of response.headers) res.setHeader(name, value);
  res.statusCode = response.status;
  end(req.method === "HEAD" ? "" : body);
}

/**
 * Sends programs the error body instead of a 404 in HTML, and everybody a 503 if a page failed because of the store: only the
 * pages know their paths and errors, so their response is replaced when its first byte is written.
 */
export function replaceFailedPages(req: IncomingMessage, res: ServerResponse): void {
  // Compressed pages send their headers before their first byte is written here.
  if (isProgram(req)) delete req.headers["accept-encoding"];
  const { writeHead, write, end, flushHeaders } = res;
  let isReplaced = false;
  let isSending = false;
  const replace = (): boolean => {
    if (isReplaced || res.headersSent) return isReplaced;
    setStatus(req, res);
    const response = replacement(req, res);
    if (response === undefined) return false;
    isReplaced = true;
    // Further writes of the page are dropped.
    void send(response, req, res, (body) => {
      isSending = true;
      end.call(res, body, "utf8");
    });
    return true;
  };
  // A caller may reuse a request id: a status or error set after the first byte must not apply to a later request.
  res.once("close", () => {
    failures().byRequest.delete(requestIdOf(req));
    takePageStatus(requestIdOf(req));
  });
  Object.assign(res, {
    writeHead: (...given: Parameters<typeof writeHead>) => {
      if (!isSending && replace()) return res;
      // Node passes the status from before this call again.
      if (given[0] === 200) given[0] = res.statusCode;
      return writeHead.apply(res, given);
    },
    write: (...given: Parameters<typeof write>) => replace() || write.apply(res, given),
    end: (...given: Parameters<typeof end>) => (replace() ? res : end.apply(res, given)),
    flushHeaders: () => {
      if (!replace()) flushHeaders.call(res);
    },
  });
}
