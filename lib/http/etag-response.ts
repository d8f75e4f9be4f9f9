import { isNotModified, readPreconditions } from "@/lib/protocol/conditional";
import { sendBytes } from "./answer";
import type { Context } from "./context";
import { setResponseHeaders } from "./request-context";

/** An answer with the strong ETag of its state. */
export interface Tagged<Value> {
  value: Value;
  etag: string;
}

/** Returns the value under its ETag, or 304 to a reader who has it already. Throws 412. */
export function sendTagged<Value>(
  context: Pick<Context, "request" | "responseHeaders" | "format">,
  { value, etag }: Tagged<Value>,
): Value | Response {
  const { method, headers } = context.request;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && isNotModified(readPreconditions(headers), { etag }))
    return sendBytes(context, undefined, { ETag: etag, "Cache-Control": "no-store" });
  setResponseHeaders(context, { ETag: etag });
  return value;
}
