import type { Origin } from "@/lib/access/caller";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { publicUrl } from "@/lib/protocol/settings";
import { cut } from "@/lib/protocol/text";

/** Throws 403 if a browser sent the portal's cookie with a request that is not from the portal. */
export function checkSameOrigin(request: Request): void {
  const fetchSite = request.headers.get("sec-fetch-site");
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isAllowed = isRead
    ? fetchSite !== "cross-site"
    : fetchSite === "same-origin" || request.headers.get("origin") === publicUrl();
  if (!isAllowed)
    throw new ApiError(
      "request.cross-origin",
      "This request came from another site. Make it from the portal, or with an API key.",
      publicUrl(),
    );
}

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's X-Service-Request-Id if it is well formed, else a new one. */
function requestIdOf(headers: Pick<Headers, "get">): string {
  const given = headers.get("x-service-request-id");
  return given && idPattern.test(given) ? given : crypto.randomUUID();
}

const peers = perProcess("peer-header", () => ({ areTrusted: false }));

/** Called by the server, which sets the peer's address on each request and drops what the client sent. */
export function trustPeerHeader(): void {
  peers().areTrusted = true;
}

/** The origin of a request. Only the server's own header is trusted for the address: without the server no header is reliable. */
export function originOf(headers: Pick<Headers, "get">): Origin {
  return {
    requestId: requestIdOf(headers),
    address: (peers().areTrusted && headers.get("x-gatehouse-peer")) || "unknown",
    agent: cut(headers.get("user-agent") ?? "", 256, ""),
  };
}
