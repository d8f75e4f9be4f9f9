import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/protocol/errors";
import type { ReceivedBody, ServerState } from "./state";

export const startOfBody = (
  { socket }: IncomingMessage,
  now: number,
  isStreamed = false,
): ReceivedBody => ({
  since: now,
  bytesBefore: socket.bytesRead,
  isStreamed,
});

/** What Node itself gives a whole request: enough for the longest body that is on its way. */
export function requestTimeoutMs({ arriving, limits }: ServerState): number {
  const isStreaming = [...arriving].some(({ body }) => body.isStreamed);
  return limits.headersMs + (isStreaming ? limits.streamMs : limits.bodyMs);
}

/** The 503 for a body that is further behind than all others, while too many are on their way. */
export const tooManyBodies = (): ApiError =>
  new ApiError(
    "server.overloaded",
    "Too many bodies are on their way, and this one is the slowest. Try again in a second.",
    undefined,
    { headers: { "Retry-After": "1" } },
  );

/**
 * The 400 for a body that arrives too late or too slowly; undefined while there is time. Time in which this process
 * stood still does not count: what the client sent meanwhile could not be read.
 */
export function bodyTimeOut(
  { limits, loop }: ServerState,
  { socket }: IncomingMessage,
  body: ReceivedBody,
  now: number,
): ApiError | undefined {
  const elapsedMs = now - body.since - loop.lostMs(body.since, now);
  const maxMs = body.isStreamed ? limits.streamMs : limits.bodyMs;
  const minRate = body.isStreamed ? limits.minStreamRate : limits.minBodyRate;
  if (elapsedMs >= maxMs) {
    return new ApiError(
      "request.body-timed-out",
      `The body did not arrive within ${maxMs / 1000} seconds.`,
    );
  }
  const expectedBytes = (minRate * (elapsedMs - limits.bodyGraceMs)) / 1000;
  if (socket.bytesRead - body.bytesBefore >= expectedBytes) return undefined;
  return new ApiError(
    "request.body-timed-out",
    `The body arrived more slowly than ${minRate} bytes a second.`,
  );
}
