import { createHash } from "node:crypto";
import { FastResponse } from "srvx/node";
import { negotiate } from "@/lib/protocol/negotiation";
import { varyOn } from "./answer";
import { errorResponse } from "./error-response";
import { type Respond, withUnreportedContext } from "./with-request-context";

/** A public JSON document without tenant, with an ETag; made once unless it changes while the service runs. */
export function document(make: () => unknown, { isKept = true } = {}): Respond {
  let made: { body: string; etag: string } | undefined;
  return withUnreportedContext(async (request, context) => {
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
        ...context.responseHeaders,
      };
      if (request.headers.get("if-none-match")?.includes(made.etag))
        return new FastResponse(null, { status: 304, headers });
      return new FastResponse(made.body, {
        status: 200,
        headers: { ...headers, "Content-Type": "application/json" },
      });
    } catch (error) {
      return errorResponse(error, request, context);
    }
  });
}
