import type { Caller } from "@/lib/access/caller";
import { sendBytes } from "@/lib/http/answer";
import type { Context } from "@/lib/http/context";
import { setResponseHeaders } from "@/lib/http/request-context";
import { isNotModified, type Preconditions } from "@/lib/protocol/conditional";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import type { Preview } from "./contract";
import { type StateWithContent, validatorsOf } from "./find";
import type { WrittenRevision } from "./revision";

type Answering = Pick<Context, "responseHeaders" | "format">;

/** A browser may keep the bytes, and asks each time whether they still hold. */
const caching = "private, no-cache";
const allowed = "GET, HEAD, PUT, OPTIONS";

const pathOf = (key: string) => `/pim/preview/${encodeURIComponent(key)}/configuration`;

/** What the request came with: the portal's calls carry its cookie and no session header. */
export function viaOf({ caller, request }: { caller: Caller; request: Request }): PreviewVia {
  if (caller.kind !== "session") return caller.kind;
  return request.headers.get("x-service-session-id")?.trim() ? "session" : "portal";
}

function described({
  hash,
  writtenAt,
}: Pick<WrittenRevision, "hash" | "writtenAt">): Record<string, string> {
  return { ETag: `"${hash}"`, "Last-Modified": writtenAt.toUTCString(), "Cache-Control": caching };
}

/** Answers stored bytes, or 304 to a caller that has them. Throws 412. */
export function sendContent(
  context: Answering,
  state: StateWithContent,
  preconditions: Preconditions,
): Response {
  const isKnown = isNotModified(preconditions, validatorsOf(state));
  return sendBytes(context, isKnown ? undefined : state.content, described(state));
}

/** Answers a PUT with the very bytes that it brought. */
export function sendWritten(
  context: Answering & Pick<Context, "bytes">,
  key: string,
  written: WrittenRevision,
): Response {
  const headers = { ...described(written), Location: pathOf(key), Allow: allowed };
  return sendBytes(context, context.bytes as Uint8Array<ArrayBuffer>, headers);
}

/** Says where the configuration is, and which state of it this is. */
export function sendState(
  context: Pick<Context, "responseHeaders">,
  preview: Preview,
  isNew = false,
): Preview {
  setResponseHeaders(context, { ETag: preview.etag });
  if (isNew) setResponseHeaders(context, { Location: pathOf(preview.key) });
  return preview;
}
