import type { HandlerOf } from "@/lib/http/context";
import { readPreconditions } from "@/lib/protocol/conditional";
import { sendContent, sendState, sendWritten, viaOf } from "./answers";
import { contentOf, memberBytes } from "./content";
import type * as contract from "./contract";
import { createPreview } from "./create";
import { findContent } from "./find";
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
