import { createHash } from "node:crypto";
import { FastResponse } from "srvx/node";
import { negotiate } from "@/lib/protocol/negotiation";
import { varyOn } from "./answer";
import { failure, requestIdOf } from "./failure";

/** A public JSON document without tenant, with an ETag; made once unless it changes while the service runs. */
export function document(
  make: () => unknown,
  { isKept = true } = {},
): (request: Request) => Promise<Response> {
  let made: { body: string; etag: string } | undefined;
  return async (request) => {
    try {
      negotiate(request.headers.get("accept"), ["application/json"]);
      if (!made || !isKept) {
        const body = JSON.stringify(await make());
        made = {
          body,
          etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
        };
      }
      const headers = {
        ETag: made.etag,
        "Cache-Control": "public, max-age=300",
        Vary: varyOn,
        "X-Service-Request-Id": requestIdOf(request.headers),
      };
      if (request.headers.get("if-none-match")?.includes(made.etag))
        return new FastResponse(null, { status: 304, headers });
      return new FastResponse(made.body, {
        status: 200,
        headers: { ...headers, "Content-Type": "application/json" },
      });
    } catch (error) {
      return failure(error, request);
    }
  };
}
