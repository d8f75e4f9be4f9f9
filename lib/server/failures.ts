import { type StoreFailure, storeFailure } from "@/lib/database/failures";
import { errorLine } from "@/lib/protocol/error-summary";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";

/** Precedes the error of the store or of its connection. */
const ofStore: Record<StoreFailure, string> = {
  away: "The store cannot be reached",
  full: "The store's disk is full. Make room and start again",
  "read-only": "The store takes no writes",
  busy: "The store kept a lock for too long",
  slow: "The store took too long to answer",
};

/** The reason for the operator why the process could not start. */
export function explainFailure(error: unknown): string {
  const { code, port, address, hostname } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
    hostname?: string;
  };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop what listens there, or start with another one: PORT=3001 npm start`;
  const isOwnAddress = code === "ENOTFOUND" && hostname === setting("HOST");
  if (code === "EADDRNOTAVAIL" || isOwnAddress)
    return `HOST: this machine has no address ${address ?? setting("HOST")}.`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user.`;
  if (code === "ENOSPC") return `The disk is full. Make room and start again: ${errorLine(error)}`;
  const failure = storeFailure(error);
  return failure === undefined ? errorLine(error) : `${ofStore[failure]}: ${errorLine(error)}`;
}

/**
 * Whether an uncaught error ends the process. An unhandled rejection because of the store does not, as another statement of the same
 * request may have failed first: the request got a 503, and the next ones wait for the store.
 */
export function endsProcess(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): boolean {
  if (origin !== "unhandledRejection" || storeFailure(error) === undefined) return true;
  log().error({ err: error }, "the store failed a statement that nothing waited for");
  return false;
}
