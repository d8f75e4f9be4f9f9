import { FastResponse } from "srvx/node";
import { z } from "zod";
import {
  checkPreconditions,
  etagOf,
  isConditional,
  isNotModified,
  readPreconditions,
} from "@/lib/protocol/conditional";
import { type Endpoint, methodOf } from "@/lib/protocol/endpoint";
import { perProcess } from "@/lib/protocol/per-process";
import type { Context } from "./context";

/**
 * Throws 412 if the request's preconditions do not match the current state. Must be called within the transaction of the write,
 * under its lock; `read` returns the representation of GET, and is called only if the request has a precondition.
 */
export type AssertUnchanged = (read: () => unknown) => Promise<void>;

/** The check of a conditional PUT, PATCH or DELETE; `representation` is the operation that reads the resource. */
export function assertUnchangedBy(
  { request }: Pick<Context, "request">,
  representation: Pick<Endpoint, "answer">,
): AssertUnchanged {
  const preconditions = readPreconditions(request.headers);
  return async (read) => {
    const { answer } = representation;
    if (!answer || !isConditional(preconditions)) return;
    const current = answer.parse(await read());
    const etag = representationTag(answer, current, JSON.stringify(current));
    checkPreconditions(preconditions, { etag });
  };
}

const unsafeMethods = ["PUT", "PATCH", "DELETE"];

/** A write-only resource has no ETag, so a precondition with one fails (RFC 9110, 13.1.1). */
export function assertNoTagNamed(declared: Endpoint, headers: Pick<Headers, "get">): void {
  if (declared.conditional || !unsafeMethods.includes(methodOf(declared))) return;
  const { ifMatch, ifNoneMatch } = readPreconditions(headers);
  checkPreconditions(
    { ifMatch, ifNoneMatch, ifUnmodifiedSince: undefined, ifModifiedSince: undefined },
    { etag: "" },
  );
}

export const varyOn =
  "X-Service-Tenant, X-Service-Site, X-Service-Session-Id, X-Service-API-Key, Authorization, Cookie, Accept";

/** Request headers that a cacheable response varies on, in addition to those already set: consumer operations vary on Origin. */
const varyOf = ({ Vary }: Readonly<Record<string, string>>): string =>
  Vary === undefined ? varyOn : `${varyOn}, ${Vary}`;

function isStream(value: unknown): value is AsyncIterable<unknown[]> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Streams a list: each part is parsed by the contract and sent when the reader is ready. */
function streamList(
  iterator: AsyncIterator<unknown[]>,
  schema: z.ZodType,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let separator = "[";
  return new ReadableStream({
    async pull(controller) {
      let next = await iterator.next();
      // A pull that enqueues nothing is not repeated, so the reader would wait for ever.
      while (!next.done && next.value.length === 0) next = await iterator.next();
      if (next.done) {
        controller.enqueue(encoder.encode(separator === "[" ? "[]" : "]"));
        controller.close();
        return;
      }
      controller.enqueue(
        encoder.encode(separator + JSON.stringify(schema.parse(next.value)).slice(1, -1)),
      );
      separator = ",";
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Of the media types, only CSV needs a charset. */
export const contentTypeOf = (format: string): string =>
  format === "text/csv" ? "text/csv; charset=utf-8" : format;

/** Responds with stored bytes, or none for a 304, and the headers of every response to this request. */
export function sendBytes(
  { responseHeaders, format }: Pick<Context, "responseHeaders" | "format">,
  bytes: Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string>,
): Response {
  const own = { ...responseHeaders, Vary: varyOf(responseHeaders), ...headers };
  if (!bytes) return new FastResponse(null, { status: 304, headers: own });
  return new FastResponse(bytes, {
    status: 200,
    headers: {
      ...own,
      "Content-Type": contentTypeOf(format),
      "Content-Length": String(bytes.byteLength),
    },
  });
}

/** Converts a handler's result into a response: the contract strips fields that it does not define. */
export async function answer(
  declared: Endpoint,
  value: unknown,
  { responseHeaders, format, request }: Pick<Context, "responseHeaders" | "format" | "request">,
): Promise<Response> {
  if (value instanceof Response) return value;
  const headers: Record<string, string> = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...responseHeaders,
  };
  if (headers["Cache-Control"] !== "no-store") headers.Vary = varyOf(responseHeaders);
  if (!declared.answer || declared.answer instanceof z.ZodUndefined)
    return new FastResponse(null, { status: declared.status, headers });
  headers["Content-Type"] = format;
  if (isStream(value))
    return new FastResponse(streamList(await awaitFirstChunk(value), declared.answer), {
      status: declared.status,
      headers,
    });
  const written = writeBody(declared.answer, value);
  const body = written.text;
  if (declared.conditional && !headers.ETag) {
    const etag = tagOf(declared.answer, written);
    headers.ETag = etag;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && isNotModified(readPreconditions(request.headers), { etag })) {
      delete headers["Content-Type"];
      return new FastResponse(null, { status: 304, headers });
    }
  }
  if (request.method === "HEAD") headers["Content-Length"] = String(Buffer.byteLength(body));
  return new FastResponse(body, { status: declared.status, headers });
}

/**
 * Reads the first part of a stream before anything is sent: an error until then gets its own status instead of an aborted
 * connection.
 */
export async function awaitFirstChunk<Part>(
  parts: AsyncIterable<Part>,
): Promise<AsyncIterator<Part>> {
  const iterator = parts[Symbol.asyncIterator]();
  let first: IteratorResult<Part> | undefined = await iterator.next();
  return {
    async next() {
      const given = first ?? (await iterator.next());
      first = undefined;
      return given;
    },
    return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
  };
}

interface Written {
  parsed: unknown;
  text: string;
  /** Its strong entity tag, computed on first use. */
  tag: string | undefined;
}

/** Values shared by several responses, and their JSON for each schema. Garbage-collected after the last of those requests. */
const shared = perProcess("shared-bodies", () => new WeakMap<object, Map<z.ZodType, Written>>());

/**
 * Marks a value that several responses share and that no longer changes: it is parsed by the contract and serialized to JSON once. It
 * is not cached: later requests use another value.
 */
export function shareBody<Value extends object>(value: Value): Value {
  shared().set(value, new Map());
  return value;
}

/** The value as the contract sends it. */
export function writeBody(schema: z.ZodType, value: unknown): Written {
  const known = typeof value === "object" && value !== null ? shared().get(value) : undefined;
  const found = known?.get(schema);
  if (found) return found;
  const parsed = schema.parse(value);
  const written = { parsed, text: JSON.stringify(parsed), tag: undefined };
  known?.set(schema, written);
  return written;
}

/** The strong entity tag of the JSON for the schema. */
export function tagOf(schema: z.ZodType, written: Written): string {
  written.tag ??= representationTag(schema, written.parsed, written.text);
  return written.tag;
}

const untagged = perProcess("untagged-fields", () => new WeakMap<z.ZodType, readonly string[]>());

/** The fields that a tag excludes, computed once for each of the contract's schemas. */
function untaggedFields(schema: z.ZodType): readonly string[] {
  const known = untagged().get(schema);
  if (known) return known;
  const names = Object.entries(schema instanceof z.ZodObject ? schema.shape : {})
    .filter(([, field]) => z.globalRegistry.get(field as z.ZodType)?.["x-untagged"])
    .map(([name]) => name);
  untagged().set(schema, names);
  return names;
}

/** The strong entity tag of a JSON representation that was parsed by its schema: `body` is the parsed value as text. */
export function representationTag(schema: z.ZodType, value: unknown, body: string): string {
  const names = untaggedFields(schema);
  if (names.length === 0) return etagOf(body);
  const covered = Object.entries(value as object).filter(([name]) => !names.includes(name));
  return etagOf(JSON.stringify(Object.fromEntries(covered)));
}
