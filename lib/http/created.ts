import { type RequestContext, setResponseHeaders } from "./request-context";

/** Responds with what a POST created, and with its path in Location. */
export function createdAt<Value>(
  context: Pick<RequestContext, "responseHeaders">,
  path: string,
  value: Value,
): Value {
  setResponseHeaders(context, { Location: path });
  return value;
}

/** The same for a resource under its collection. */
export const created = <Value extends { id: string }>(
  context: Pick<RequestContext, "responseHeaders">,
  collection: string,
  value: Value,
): Value => createdAt(context, `${collection}/${value.id}`, value);
