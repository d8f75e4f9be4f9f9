import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/protocol/errors";
import { refusePage, wantsHtml } from "./refuse-page";

/** Next's own requests and its files know what to do with its page; whatever else asks for no HTML is a program. */
const isProgram = (req: IncomingMessage) =>
  !wantsHtml(req) && !req.headers.rsc && !req.headers["next-router-state-tree"];

const isMissingPage = (res: ServerResponse) =>
  res.statusCode === 404 && /^text\/html\b/.test(String(res.getHeader("content-type") ?? ""));

/** Headers that describe the page and not the response that takes its place. */
const ofPage = /^(?:content-|etag$|cache-control$|link$|vary$|x-nextjs-|x-powered-by$|set-cookie$)/;

/**
 * Gives programs the error body where the pages would answer 404 with HTML: the pages alone know which paths they have, so their
 * response is replaced when its first byte is written.
 */
export function answerProgramsInJson(req: IncomingMessage, res: ServerResponse): void {
  if (!isProgram(req)) return;
  const { write, end, flushHeaders } = res;
  let isReplaced = false;
  const replace = (): boolean => {
    if (isReplaced || res.headersSent || !isMissingPage(res)) return isReplaced;
    isReplaced = true;
    Object.assign(res, { write, end, flushHeaders });
    for (const name of res.getHeaderNames()) if (ofPage.test(name)) res.removeHeader(name);
    const path = (req.url ?? "").split("?")[0] ?? "";
    refusePage(
      req,
      res,
      new ApiError("request.not-found", `There is nothing at ${path.slice(0, 100)}.`),
    );
    // What the page still writes goes nowhere.
    Object.assign(res, { write: () => true, end: () => res, flushHeaders: () => undefined });
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
