import type { Origin } from "@/lib/access/caller";
import { requestIdOf } from "./failure";

/** Where a request came from. Only the front door's word is taken for the peer: without it nobody vouches for an address. */
export function originOf(headers: Pick<Headers, "get">): Origin {
  const isBehindDoor = (globalThis as { gatehouseDoor?: boolean }).gatehouseDoor === true;
  return {
    requestId: requestIdOf(headers),
    address: (isBehindDoor && headers.get("x-gatehouse-peer")) || "unknown",
    agent: (headers.get("user-agent") ?? "").slice(0, 256),
  };
}
