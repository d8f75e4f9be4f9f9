import { FastResponse } from "srvx/node";
import { contentTypeOf } from "./answer";
import { awaitFirstChunk } from "./await-first-chunk";
import type { Context } from "./context";

interface Lines<Item> {
  /** Written before the first line. */
  head?: string;
  line: (item: Item) => string;
}

/** Answers a list line by line while it is read: nothing waits in memory for a slow reader. */
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
