import type { Origin } from "@/lib/access/caller";

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own X-Service-Request-Id when it is well formed, else a new one. */
function requestIdOf(headers: Pick<Headers, "get">): string {
  const given = headers.get("x-service-request-id");
  return given && idPattern.test(given) ? given : crypto.randomUUID();
}

/** Where a request came from. Only the server's own header is believed for the address: without the server nobody vouches for one. */
export function originOf(headers: Pick<Headers, "get">): Origin {
  const isBehindServer = (globalThis as { gatehouseDoor?: boolean }).gatehouseDoor === true;
  return {
    requestId: requestIdOf(headers),
    address: (isBehindServer && headers.get("x-gatehouse-peer")) || "unknown",
    agent: (headers.get("user-agent") ?? "").slice(0, 256),
  };
}
