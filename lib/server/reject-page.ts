import type { IncomingMessage, ServerResponse } from "node:http";
import { FastResponse, sendNodeResponse } from "srvx/node";
import { errorResponse } from "@/lib/http/error-response";
import type { ApiError } from "@/lib/protocol/errors";

const titles: Partial<Record<number, string>> = {
  429: "Too many requests",
  503: "The server is busy",
};

/** A page for people, without scripts, styles or anything else to load. */
function html({ status, message }: ApiError): string {
  const title = titles[status] ?? "This page cannot be shown";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${message}</p></html>`;
}

/** Whether the response is for people. */
export const wantsHtml = ({ headers }: IncomingMessage) =>
  headers.accept?.includes("text/html") === true && !headers.rsc;

/** Whether it is a prefetch of Next's router. */
const isAhead = ({ headers }: IncomingMessage) =>
  headers["next-router-prefetch"] !== undefined ||
  headers["next-router-segment-prefetch"] !== undefined;

/**
 * The response to a page request that fails on the server: a short page for people, the error body for programs, and an empty
 * response to a prefetch without room, which is not an error.
 */
export function pageRejection(req: IncomingMessage, error: ApiError): Response {
  const { status } = error;
  if (status === 503 && isAhead(req)) {
    const headers = { "Cache-Control": "no-store", ...error.headers };
    return new FastResponse(null, { status: 204, headers });
  }
  if (!wantsHtml(req)) {
    const get = (name: string) => String(req.headers[name.toLowerCase()] ?? "") || null;
    return errorResponse(error, { method: req.method ?? "GET", headers: { get } });
  }
  const body = html(error);
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ...error.headers,
  };
  return new FastResponse(req.method === "HEAD" ? null : body, { status, headers });
}

export function rejectPage(req: IncomingMessage, res: ServerResponse, error: ApiError): void {
  res.shouldKeepAlive = req.complete && res.shouldKeepAlive;
  void sendNodeResponse(res, pageRejection(req, error));
}

/** Redirects a browser by GET, without a Referer. */
export function redirect(res: ServerResponse, location: string, cookie?: string): void {
  if (cookie !== undefined) res.appendHeader("Set-Cookie", cookie);
  res
    .writeHead(303, {
      Location: location,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    })
    .end();
}
