import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";

function tooLarge(limit: number): ApiError {
  return new ApiError(
    "request.body-too-large",
    `The body may have at most ${limit} bytes.`,
    String(limit),
  );
}

/** Throws 413 for a body that announces more than the limit. */
export function checkAnnouncedLength(headers: Pick<Headers, "get">, limit: number): void {
  const announced = headers.get("content-length");
  if (announced !== null && Number(announced) > limit) throw tooLarge(limit);
}

/** The body as it arrives, at most `limit` bytes. Throws 413 past that, whatever was announced, and 400 where it breaks off. */
export async function* streamBody(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  let size = 0;
  // A client that goes away in mid-body is no failure of ours.
  const read = () =>
    reader.read().catch(() => {
      throw new ApiError("request.malformed", "The body broke off before its end.");
    });
  try {
    for (let next = await read(); !next.done; next = await read()) {
      size += next.value.byteLength;
      if (size > limit) throw tooLarge(limit);
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads at most `limit` bytes. Throws 413 past that, whatever was announced. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

/** Throws 413 for a list that is longer than the operation accepts, without looking at its items. */
export function checkItemCount({ itemLimit }: Pick<Endpoint, "itemLimit">, value: unknown): void {
  if (!itemLimit || typeof value !== "object" || value === null) return;
  const { member, max } = itemLimit;
  const list: unknown = Object.getOwnPropertyDescriptor(value, member)?.value;
  if (!Array.isArray(list) || list.length <= max) return;
  const detail = `/${member} has ${list.length} items. Send at most ${max} in one request.`;
  throw new ApiError("request.too-many-items", detail, `/${member},${max}`);
}
