import { LRUCache } from "lru-cache";
import { perProcess } from "@/lib/protocol/per-process";

/** What a page is answered with that says that the reader may not open it, or that what it is about is not there. */
export type PageStatus = 403 | 404;

/*
 * The statuses of such pages by the ids of their requests. Next answers a page that draws that by itself with 200: the server, which sends
 * its first byte, must know. The page is drawn as ever. Nothing of Next here: the server knows none of it when it starts.
 */
const statuses = perProcess("page-statuses", () => new LRUCache<string, PageStatus>({ max: 1000 }));

/** The page of this request has the status. */
export const notePageStatus = (requestId: string, status: PageStatus): void => {
  statuses().set(requestId, status);
};

/** The status of the request's page, once; undefined where the page is what was asked for. */
export function takePageStatus(requestId: string): PageStatus | undefined {
  const status = statuses().get(requestId);
  if (status !== undefined) statuses().delete(requestId);
  return status;
}
