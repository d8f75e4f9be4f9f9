import { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";

/** 413, with the maximum number of bytes of the body. */
export function tooLarge(limit: number): ApiError {
  return new ApiError(
    "request.body-too-large",
    `The body may have at most ${limit} bytes.`,
    String(limit),
  );
}

/** Throws 413 for a body whose Content-Length exceeds the limit. */
export function checkAnnouncedLength(headers: Pick<Headers, "get">, limit: number): void {
  const announced = headers.get("content-length");
  if (announced !== null && Number(announced) > limit) throw tooLarge(limit);
}

/** The body as it arrives, at most `limit` bytes. Throws 413 past that, whatever its Content-Length, and 400 if it is truncated. */
export async function* streamBody(request: Request, limit: number): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader();
  let size = 0;
  // A client that disconnects within the body is not our failure.
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

/** A body with at most this Content-Length is read from the connection: creating a web stream would take longer than reading it. */
const smallBytes = 64 * 1024;

/** Node's request, if the body has a Content-Length, is small and has not been read yet. */
function smallIncoming(request: Request, limit: number): IncomingMessage | undefined {
  const { runtime } = request as Partial<ServerRequest>;
  const incoming = runtime?.node?.req;
  if (!(incoming instanceof IncomingMessage)) return undefined;
  const length = Number(incoming.headers["content-length"] ?? Number.NaN);
  const isSmall = length <= Math.min(smallBytes, limit);
  return isSmall && !incoming.destroyed && !incoming.readableEnded ? incoming : undefined;
}

/** Node's parser ends the body at its Content-Length. Throws 400 if it is truncated. */
function readIncoming(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const breakOff = () => {
      // The connection also closes after a complete body.
      if (!incoming.readableEnded)
        reject(new ApiError("request.malformed", "The body broke off before its end."));
    };
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    incoming.once("error", breakOff);
    incoming.once("close", breakOff);
  });
}

/** Reads at most `limit` bytes. Throws 413 past that, whatever its Content-Length. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const incoming = smallIncoming(request, limit);
  if (incoming) return readIncoming(incoming);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBody(request, limit)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

/** Throws 413 for a list that is longer than the operation accepts, without looking at its items. */
export function checkItemCount({ limits }: Pick<Endpoint, "limits">, value: unknown): void {
  if (!limits.items || typeof value !== "object" || value === null) return;
  const { member, max } = limits.items;
  const list: unknown = Object.getOwnPropertyDescriptor(value, member)?.value;
  if (!Array.isArray(list) || list.length <= max) return;
  const detail = `/${member} has ${list.length} items. Send at most ${max} in one request.`;
  throw new ApiError("request.too-many-items", detail, `/${member},${max}`);
}
