import type { Caller } from "@/lib/access/caller";
import { sendBytes } from "@/lib/http/answer";
import type { Context, HandlerOf } from "@/lib/http/context";
import { setResponseHeaders } from "@/lib/http/request-context";
import { isNotModified, type Preconditions, readPreconditions } from "@/lib/protocol/conditional";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import { contentOf, memberBytes } from "./content";
import type * as contract from "./contract";
import type { Preview } from "./contract";
import { createPreview } from "./create";
import { findContent, type StateWithContent, validatorsOf, type WrittenRevision } from "./find";
import { findRevision } from "./list";
import { deletePreview } from "./states";
import * as write from "./write";

/** Handlers of the operations in which bytes or preconditions matter. */

export const read: HandlerOf<typeof contract.getPreviewConfiguration> = async (context) => {
  const preconditions = readPreconditions(context.request.headers);
  return sendContent(context, await findContent(context.caller, context.params.key), preconditions);
};

export const update: HandlerOf<typeof contract.updatePreviewConfiguration> = async (context) => {
  const { caller, params, body, bytes, request } = context;
  const preconditions = readPreconditions(request.headers);
  const written = await write.updateConfiguration(caller, params.key, {
    content: contentOf(bytes, body),
    via: viaOf(context),
    preconditions,
  });
  return sendWritten(context, params.key, written);
};

export const create: HandlerOf<typeof contract.createPreview> = async (context) => {
  const { caller, body, bytes } = context;
  const content = contentOf(memberBytes(bytes, "configuration"), body.configuration);
  return sendState(context, await createPreview(caller, body.key, content, viaOf(context)), true);
};

export const remove: HandlerOf<typeof contract.deletePreview> = ({ caller, params, request }) =>
  deletePreview(caller, params.key, readPreconditions(request.headers));

export const readRevision: HandlerOf<typeof contract.getPreviewRevision> = async (context) => {
  const { caller, params, request } = context;
  const preconditions = readPreconditions(request.headers);
  return sendContent(context, await findRevision(caller, params.key, params.n), preconditions);
};

export const restoreRevision: HandlerOf<typeof contract.restorePreviewRevision> = async (
  context,
) => {
  const { caller, params, request } = context;
  const preconditions = readPreconditions(request.headers);
  return sendState(
    context,
    await write.restoreRevision(caller, params.key, params.n, {
      via: viaOf(context),
      preconditions,
    }),
  );
};

type Answering = Pick<Context, "responseHeaders" | "format">;

/** A browser may cache the bytes, but must revalidate them each time. */
const caching = "private, no-cache";
const allowed = "GET, HEAD, PUT, OPTIONS";

const pathOf = (key: string) => `/pim/preview/${encodeURIComponent(key)}/configuration`;

/** The client of the request: calls of the portal have its cookie and no session header. */
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

/** Sends the stored bytes, or 304 to a caller that has them. Throws 412. */
export function sendContent(
  context: Answering,
  state: StateWithContent,
  preconditions: Preconditions,
): Response {
  const isKnown = isNotModified(preconditions, validatorsOf(state));
  return sendBytes(context, isKnown ? undefined : state.content, described(state));
}

/** Responds to a PUT with exactly the bytes of its body. */
export function sendWritten(
  context: Answering & Pick<Context, "bytes">,
  key: string,
  written: WrittenRevision,
): Response {
  const headers = { ...described(written), Location: pathOf(key), Allow: allowed };
  return sendBytes(context, context.bytes as Uint8Array<ArrayBuffer>, headers);
}

/** Sets the headers with the location of the configuration and its version. */
export function sendState(
  context: Pick<Context, "responseHeaders">,
  preview: Preview,
  isNew = false,
): Preview {
  setResponseHeaders(context, { ETag: preview.etag });
  if (isNew) setResponseHeaders(context, { Location: pathOf(preview.key) });
  return preview;
}
