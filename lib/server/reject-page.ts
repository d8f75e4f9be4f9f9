import type { IncomingMessage, ServerResponse } from "node:http";
import { sendNodeResponse } from "srvx/node";
import { errorResponse } from "@/lib/http/error-response";
import type { ApiError } from "@/lib/protocol/errors";

const titles: Partial<Record<number, string>> = {
  429: "Too many requests",
  503: "The server is busy",
};

/** For people: without scripts, styles or anything that would be asked for next. */
function html({ status, message }: ApiError): string {
  const title = titles[status] ?? "This page cannot be shown";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${message}</p></html>`;
}

/** Whether the response is for people. */
export const wantsHtml = ({ headers }: IncomingMessage) =>
  headers.accept?.includes("text/html") === true && !headers.rsc;

/** Whether the router of Next only wants to have it ready: nobody has asked for the page yet. */
const isAhead = ({ headers }: IncomingMessage) =>
  headers["next-router-prefetch"] !== undefined ||
  headers["next-router-segment-prefetch"] !== undefined;

/**
 * Answers a request for a page with an error of the server: a short page for people, the error body for programs, and where there is no
 * room for what would be fetched ahead nothing, which is no fault.
 */
export function rejectPage(req: IncomingMessage, res: ServerResponse, error: ApiError): void {
  res.shouldKeepAlive = req.complete && res.shouldKeepAlive;
  if (error.status === 503 && isAhead(req)) {
    res.writeHead(204, { "Cache-Control": "no-store", ...error.headers }).end();
    return;
  }
  if (wantsHtml(req)) {
    const body = html(error);
    const own = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
    };
    res.writeHead(error.status, {
      ...own,
      "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      ...error.headers,
    });
    res.end(req.method === "HEAD" ? undefined : body);
    return;
  }
  const headers = { get: (name: string) => String(req.headers[name.toLowerCase()] ?? "") || null };
  void sendNodeResponse(res, errorResponse(error, { method: req.method ?? "GET", headers }));
}
