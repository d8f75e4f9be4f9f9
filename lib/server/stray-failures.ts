import { storeFailure } from "@/lib/database/failures";
import { log } from "@/lib/protocol/log";

/**
 * Whether what reached the process ends it. A rejection that nothing waited for, because another statement of the same request failed
 * first, is no reason where the store failed: the request was answered 503, and the next ones wait for the store.
 */
export function endsProcess(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): boolean {
  if (origin !== "unhandledRejection" || storeFailure(error) === undefined) return true;
  log().error({ err: error }, "the store failed a statement that nothing waited for");
  return false;
}
