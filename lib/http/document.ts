import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { FastResponse } from "srvx/node";
import { isNotModified, readPreconditions } from "@/lib/protocol/conditional";
import { negotiate, negotiateEncoding } from "@/lib/protocol/http-fields";
import { varyOn } from "./answer";
import { errorResponse } from "./error-response";
import { type Respond, withUnreportedContext } from "./request-context";

const compress = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: async (body: Buffer) => body,
} as const;

type Encoding = keyof typeof compress;

/** Smaller bodies are sent uncompressed: compressing them saves nothing. */
const minCompressedBytes = 1024;

/** One representation of a document for each encoding, each with its own ETag (RFC 9110, 8.8.3.3). */
class Rendered {
  readonly #body: Buffer;
  readonly #hash: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.#body = Buffer.from(text);
    this.#hash = createHash("sha256").update(this.#body).digest("base64url").slice(0, 22);
  }

  async encode(accepted: Encoding) {
    const encoding = this.#body.length < minCompressedBytes ? "identity" : accepted;
    const encoded = this.#encoded.get(encoding) ?? compress[encoding](this.#body);
    this.#encoded.set(encoding, encoded);
    const isPlain = encoding === "identity";
    return {
      body: await encoded,
      etag: `"${this.#hash}${isPlain ? "" : `-${encoding}`}"`,
      headers: isPlain ? {} : { "Content-Encoding": encoding },
    };
  }
}

interface TextDocument {
  /** With its parameters: "text/plain; charset=utf-8". */
  contentType: string;
  create: (request: Request) => string | Promise<string>;
  /** Created once, or once a day, unless it changes while the service runs or with the request. */
  isKept: boolean | "today";
}

const dayMs = 86_400_000;

/** A public document without a tenant, for pages of any origin. */
export function textDocument({ contentType, create, isKept }: TextDocument): Respond {
  const [mediaType = ""] = contentType.split(";");
  let kept: { rendered: Rendered; day: number } | undefined;
  return withUnreportedContext(async (request, context) => {
    try {
      negotiate(request.headers.get("accept"), [mediaType]);
      const day = isKept === "today" ? Math.floor(Date.now() / dayMs) : 0;
      const found = kept?.day === day ? kept.rendered : undefined;
      const rendered = found ?? new Rendered(await create(request));
      if (isKept) kept = { rendered, day };
      const encoding = negotiateEncoding(request.headers.get("accept-encoding"));
      const { body, etag, headers: encoded } = await rendered.encode(encoding);
      const headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "ETag, X-Service-Request-Id",
        ETag: etag,
        "Cache-Control": "public, max-age=300",
        Vary: `${varyOn}, Accept-Encoding`,
        ...context.responseHeaders,
      };
      if (isNotModified(readPreconditions(request.headers), { etag }))
        return new FastResponse(null, { status: 304, headers });
      return new FastResponse(new Uint8Array(body), {
        status: 200,
        headers: { ...headers, ...encoded, "Content-Type": contentType },
      });
    } catch (error) {
      return errorResponse(error, request, context);
    }
  });
}

/** The same in JSON. */
export const document = (
  create: () => unknown,
  { isKept = true }: Partial<Pick<TextDocument, "isKept">> = {},
): Respond =>
  textDocument({
    contentType: "application/json",
    create: async () => JSON.stringify(await create()),
    isKept,
  });
