import type { Origin } from "@/lib/access/caller";
import { perProcess } from "@/lib/protocol/per-process";
import { cut } from "@/lib/protocol/text";

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own X-Service-Request-Id when it is well formed, else a new one. */
function requestIdOf(headers: Pick<Headers, "get">): string {
  const given = headers.get("x-service-request-id");
  return given && idPattern.test(given) ? given : crypto.randomUUID();
}

const peers = perProcess("peer-header", () => ({ areTrusted: false }));

/** Called by the server, which sets the peer's address on each request and drops what the client sent. */
export function trustPeerHeader(): void {
  peers().areTrusted = true;
}

/** Where a request came from. Only the server's own header is believed for the address: without the server nobody vouches for one. */
export function originOf(headers: Pick<Headers, "get">): Origin {
  return {
    requestId: requestIdOf(headers),
    address: (peers().areTrusted && headers.get("x-gatehouse-peer")) || "unknown",
    agent: cut(headers.get("user-agent") ?? "", 256, ""),
  };
}
