import { FastResponse } from "srvx/node";
import { z } from "zod";
import { isNotModified, readPreconditions } from "@/lib/protocol/conditional";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { awaitFirstChunk } from "./await-first-chunk";
import type { Context } from "./context";
import { tagOf, writeBody } from "./shared-body";

export const varyOn =
  "X-Service-Tenant, X-Service-Site, X-Service-Session-Id, X-Service-API-Key, Authorization, Cookie, Accept";

function isStream(value: unknown): value is AsyncIterable<unknown[]> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** A list that is written while it is read: each part is parsed by the contract and sent when the reader has room. */
function streamList(
  iterator: AsyncIterator<unknown[]>,
  schema: z.ZodType,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let separator = "[";
  return new ReadableStream({
    async pull(controller) {
      let next = await iterator.next();
      // A pull that enqueues nothing is not repeated: a reader would wait for ever.
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

/** Only CSV does not say by itself which characters its bytes are. */
export const contentTypeOf = (format: string): string =>
  format === "text/csv" ? "text/csv; charset=utf-8" : format;

/** Answers stored bytes as they are, or none for a 304, with what every answer to this request carries. */
export function sendBytes(
  { responseHeaders, format }: Pick<Context, "responseHeaders" | "format">,
  bytes: Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string>,
): Response {
  const own = { ...responseHeaders, Vary: varyOn, ...headers };
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

/** Turns what a handler returned into a response: the contract strips whatever it does not name. */
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
  if (headers["Cache-Control"] !== "no-store") headers.Vary = varyOn;
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
  if (declared.isConditional && !headers.ETag) {
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
