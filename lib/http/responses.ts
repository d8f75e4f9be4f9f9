import { FastResponse } from "srvx/node";
import { isNotModified, readPreconditions } from "@/lib/protocol/conditional";
import { type Page, writeCursor } from "@/lib/protocol/parameters";
import { publicUrl } from "@/lib/protocol/settings";
import { awaitFirstChunk, contentTypeOf, sendBytes } from "./answer";
import type { Context } from "./context";
import { type RequestContext, setResponseHeaders } from "./request-context";

/** Responses to a browser during a sign-in: none may be cached, and each may set cookies. */
function headersWith(headers: Record<string, string>, cookies: readonly string[]): Headers {
  const all = new Headers({ "Cache-Control": "no-store", ...headers });
  for (const cookie of cookies) all.append("Set-Cookie", cookie);
  return all;
}

export const jsonResponse = (value: object, cookies: readonly string[] = []): Response =>
  new Response(JSON.stringify(value), {
    headers: headersWith({ "Content-Type": "application/json" }, cookies),
  });

/** Redirects to a page of this service. */
export const redirectResponse = (path: string, cookies: readonly string[] = []): Response =>
  new Response(null, {
    status: 302,
    headers: headersWith({ Location: `${publicUrl()}${path}` }, cookies),
  });

/** Responds with the resource that a POST created, and its path in Location. */
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

type Linking = Pick<Context, "request" | "responseHeaders">;

/** Sets the Link header to the next page: the request's own path with one parameter replaced. */
export function setNextLink(context: Linking, parameter: string, value: string): void {
  const { pathname, searchParams } = new URL(context.request.url);
  searchParams.set(parameter, value);
  const link = `<${pathname}?${searchParams}>; rel="next"`;
  const { Link: others } = context.responseHeaders;
  setResponseHeaders(context, { Link: others ? `${link}, ${others}` : link });
}

/** Sends a page: its items as a bare array, the path of the next one in the Link header. */
export function sendPage<Item>(context: Linking, page: Page<Item>): Item[] {
  if (page.next) setNextLink(context, "cursor", writeCursor(page.next));
  return page.items;
}

/** An answer with the strong ETag of its state. */
export interface Tagged<Value> {
  value: Value;
  etag: string;
}

/** Returns the value with its ETag, or 304 if the client already has it. Throws 412. */
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

interface Lines<Item> {
  /** Text before the first line. */
  head?: string;
  line: (item: Item) => string;
}

/** Streams a list line by line while it is read: a slow reader causes no buffering in memory. */
export async function streamText<Item>(
  { responseHeaders, format }: Pick<Context, "responseHeaders" | "format">,
  parts: AsyncIterable<Item[]>,
  { head = "", line }: Lines<Item>,
): Promise<Response> {
  const iterator = await awaitFirstChunk(parts);
  const encoder = new TextEncoder();
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next();
      if (isFirst && head !== "") controller.enqueue(encoder.encode(head));
      isFirst = false;
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value.map(line).join("")));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new FastResponse(body, {
    status: 200,
    headers: {
      "Cache-Control": "no-store",
      ...responseHeaders,
      "Content-Type": contentTypeOf(format),
    },
  });
}

/** A response of a protocol with its own schemas and media type, such as SCIM. Without a value it has no body. */
export function sendAs(
  mediaType: string,
  { request, responseHeaders }: Pick<Context, "request" | "responseHeaders">,
  { status, body, headers }: { status: number; body?: object; headers?: Record<string, string> },
): Response {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const isHead = request.method === "HEAD";
  return new FastResponse(isHead ? null : (text ?? null), {
    status,
    headers: {
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...responseHeaders,
      ...(text !== undefined && { "Content-Type": mediaType }),
      ...(text !== undefined && isHead && { "Content-Length": String(Buffer.byteLength(text)) }),
      ...headers,
    },
  });
}
