import { LRUCache } from "lru-cache";
import { perProcess } from "@/lib/protocol/per-process";

/** The status of a page that reports a missing permission or a missing object. */
export type PageStatus = 403 | 404;

/*
 * The statuses of such pages by request id. Next sends a page that renders its own error with 200, so the server, which writes the
 * headers, looks the status up here. Must not import Next: the server loads this file before it.
 */
const statuses = perProcess("page-statuses", () => new LRUCache<string, PageStatus>({ max: 1000 }));

/** Sets the status for the page of this request. */
export const notePageStatus = (requestId: string, status: PageStatus): void => {
  statuses().set(requestId, status);
};

/** Returns and removes the status of the request's page; undefined for an ordinary page. */
export function takePageStatus(requestId: string): PageStatus | undefined {
  const status = statuses().get(requestId);
  if (status !== undefined) statuses().delete(requestId);
  return status;
}
